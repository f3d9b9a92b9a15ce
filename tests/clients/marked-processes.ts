import { readdirSync, readFileSync } from 'node:fs';

export interface MarkedProcess {
  pid: number;
  args: string;
  environment: string;
}

/** What an agent started that has this home, and what that started. On Linux. */
export function markedProcesses(home: string): MarkedProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const environment = read(`/proc/${pid}/environ`);
      const variables = environment.split('\0');
      const isMarked = variables.includes(`HOME=${home}`) && variables.some((one) => one.startsWith('JUMPSEAT_AGENT='));
      return isMarked
        ? [{ pid: Number(pid), args: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' '), environment }]
        : [];
    });
}

/** A process that has just ended has nothing to read. */
function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
