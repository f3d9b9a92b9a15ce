import { fileURLToPath } from 'node:url';
import { type Ended, Started } from '../../started.ts';

/** As `npm test` has built it, which starts in a fraction of the time; elsewhere from the sources. */
const entry = process.env.JUMPSEAT_TEST_CLI ?? fileURLToPath(new URL('../../../app/cli/jumpseat.ts', import.meta.url));

/** A running `jumpseat`. */
export class Spawned extends Started {
  constructor(args: readonly string[], env: Record<string, string>, input?: string) {
    super(process.execPath, [entry, ...args], {
      env: { PATH: process.env.PATH ?? '', ...env },
      ...(input !== undefined && { input }),
    });
  }
}

/** The same where the system allows so many open files. */
export function withOpenFiles(limit: number, args: readonly string[], env: Record<string, string>): Started {
  const limited = ['-c', `ulimit -n ${limit} && exec "$0" "$@"`, process.execPath, entry, ...args];
  return new Started('bash', limited, { env: { PATH: process.env.PATH ?? '', ...env } });
}

/**
 * The same in a terminal, where a key is pressed at a question.
 * @param log a file for what stands there
 * @param key as `printf` takes it
 * @param columns how wide it is; it doesn't know unless told
 */
export function asked(
  { at, key, log, columns = 0 }: { at: string; key: string; log: string; columns?: number },
  args: readonly string[],
  env: Record<string, string>,
): Started {
  const press = '(for _ in {1..600}; do grep -qsF -- "$1" "$0" && break; sleep 0.05; done; printf "$2")';
  const command = [process.execPath, entry, ...args].map((word) => `'${word}'`).join(' ');
  return new Started(
    'bash',
    ['-c', `${press} | script -qefc "$3" "$0"`, log, at, key, `stty cols ${columns}; ${command}`],
    {
      env: { PATH: process.env.PATH ?? '', ...env },
    },
  );
}

export async function jumpseat(args: readonly string[], env: Record<string, string>): Promise<Omit<Ended, 'signal'>> {
  const { signal, ...ended } = await new Spawned(args, env).ended();
  // A signal is no exit code: nothing here sends one to a command that ends by itself.
  if (signal !== null) throw new Error(`jumpseat ${args[0]} was ended by ${signal}. ${ended.err}`);
  return ended;
}
