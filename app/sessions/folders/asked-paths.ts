import { isObject } from '../../formats/wire/json.ts';
import { overwrittenBy } from './overwritten.ts';

/**
 * `text`: what is in it is shown. `plan`: the same, where it is the session's own or among its agent's plans. `lines`:
 * how many it has. `there`: whether it is there.
 */
export type AskedPath = { path: string; shows: 'text' | 'plan' | 'lines' | 'there' };

const most = 20;

/**
 * The files that a permission question is about, as its request names them: those it would change and the file of a
 * plan with their text, one that is to be read by its lines, and what a command writes over.
 */
export function askedPaths(request: unknown): AskedPath[] {
  const call = fieldsOf(fieldsOf(request).toolCall);
  const input = fieldsOf(call.rawInput);
  const found: AskedPath[] = [];
  const add = (path: unknown, shows: AskedPath['shows']): void => {
    if (typeof path !== 'string' || path === '' || path.includes('\0')) return;
    if (found.length < most && !found.some((one) => one.path === path)) found.push({ path, shows });
  };
  for (const block of Array.isArray(call.content) ? call.content : []) {
    const { type, path } = fieldsOf(block);
    if (type === 'diff') add(path, 'text');
  }
  const named = input.file_path ?? input.notebook_path ?? input.path;
  if (call.kind === 'edit') add(named, 'text');
  else if (call.kind === 'switch_mode') add(planFile(request), 'plan');
  else if (call.kind === 'read' || call.kind === 'search') add(named, 'lines');
  else if (call.kind === 'execute' && typeof input.command === 'string' && input.command.length <= 20_000) {
    for (const path of overwrittenBy(input.command)) add(path, 'there');
  }
  return found;
}

/** Where the plan lies that a request asks about, in words; null: nowhere. */
export function planFile(request: unknown): string | null {
  const { kind, rawInput } = fieldsOf(fieldsOf(request).toolCall);
  const { planFilePath } = fieldsOf(rawInput);
  return kind === 'switch_mode' && typeof planFilePath === 'string' && /\.md$/.test(planFilePath) ? planFilePath : null;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}
