/**
 * What Node gets besides the built terminal front. Only Node's own command line can say it; what can be said later is
 * in `app/adapters/v8.ts`.
 *
 * - V8's compilers keep some megabytes on each of their threads and give nothing back: on the one that there is anyway
 *   they take a sixth less of the whole process after 2 000 requests (measured: 99 instead of 118 MiB), for the same
 *   CPU.
 * - Its room for young objects is small here (`app/adapters/v8.ts`), and is looked through a dozen times for a body of
 *   4 MB. One thread does that sooner than four are woken for it. Measured with bodies of 800 kB: 6 to 35 % less CPU,
 *   the more the busier the machine is; of 4 MB: the longest turn takes 6 instead of 10 ms.
 */
export const nodeFlags = ['--no-concurrent-recompilation', '--no-parallel-scavenge'];
