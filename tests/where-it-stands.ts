import { readdirSync, readFileSync } from 'node:fs';

/**
 * Where each thread of a process stands and what it has open, so that one that hangs explains itself: a main thread in
 * `ep_poll` waits for events and something keeps it alive; one in `futex_wait` waits for a thread of its own. Linux
 * tells; elsewhere nothing.
 */
export function whereItStands(pid: number | undefined): string {
  if (process.platform !== 'linux' || pid === undefined) return '';
  const folder = `/proc/${pid}`;
  const threads = list(`${folder}/task`).map((thread) => {
    const at = `${folder}/task/${thread}`;
    const [state = '?', ...rest] = read(`${at}/stat`).split(') ').at(-1)?.split(' ') ?? [];
    const ticks = `${rest[10] ?? '?'} + ${rest[11] ?? '?'} ticks`;
    const stack = read(`${at}/stack`).match(/\w+(?=\+0x)/g) ?? [];
    return [read(`${at}/comm`).trim(), state, ticks, stack.slice(0, 4).join(' < ') || read(`${at}/wchan`)].join(', ');
  });
  const children = list(`${folder}/task`).map((thread) => read(`${folder}/task/${thread}/children`).trim());
  return ['', 'threads:', ...threads, `children: ${children.join(' ').trim() || 'none'}`].join('\n');
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Empty where the process has ended, or the system keeps it to itself. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
