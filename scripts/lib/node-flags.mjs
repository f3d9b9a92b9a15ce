/**
 * What Node gets besides the built terminal front. V8's compilers keep some megabytes on each of their threads and give
 * nothing back: on the one that there is anyway they take a sixth less of the whole process after 2 000 requests
 * (measured: 99 instead of 118 MiB), for the same CPU. Only Node's own command line can say it; what can be said later
 * is in `app/adapters/v8.ts`.
 */
export const nodeFlags = ['--no-concurrent-recompilation'];
