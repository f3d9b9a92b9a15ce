import { isObject } from '../../formats/wire/json.ts';

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

/** Path of the plan that a request asks about, in words; null if there is none. */
export function planFile(request: unknown): string | null {
  const { kind, rawInput } = fieldsOf(fieldsOf(request).toolCall);
  const { planFilePath } = fieldsOf(rawInput);
  return kind === 'switch_mode' && typeof planFilePath === 'string' && /\.md$/.test(planFilePath) ? planFilePath : null;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** A word with its quotes taken off; null: only the shell knows what it becomes. */
type Token = { word: string | null } | { sign: string };

const signs = /^(?:\d*>>|&>>|\d*>\||\d*>&|\d*<&|\d*<>|\d*>|&>|<<<|<<-?|\d*<|&&|\|\||\|&|[;&|()\n])/;
const ends: ReadonlySet<string> = new Set([';', '&', '&&', '|', '||', '|&', '(', ')', '\n']);
/** Characters that only the shell can resolve if they are not quoted. */
const unknowable = /[$`*?[\]{}!~]/;

/**
 * Files that a shell would write over, as far as the words of its command say: redirections, `tee`, `cp` and `mv`. What
 * only the shell knows (variables, patterns, what follows a `cd`) is left out, so that none found says nothing.
 */
export function overwrittenBy(command: string): string[] {
  const found = new Set<string>();
  let words: (string | null)[] = [];
  let isElsewhere = false;
  const add = (path: string | null | undefined): void => {
    if (path == null || path === '' || (isElsewhere && !path.startsWith('/'))) return;
    found.add(path);
  };
  const finish = (): void => {
    const [program, ...given] = words.slice(words.findIndex((word) => word === null || !/^\w+=/.test(word)));
    words = [];
    if (program === 'cd' || program === 'pushd' || program === 'popd') isElsewhere = true;
    else for (const path of writtenBy(program ?? '', given)) add(path);
  };
  const tokens = tokensOf(command);
  for (const [at, token] of tokens.entries()) {
    if ('word' in token) words.push(token.word);
    else if (ends.has(token.sign)) finish();
    else {
      // The word behind it is no word of the command.
      const next = tokens[at + 1];
      if (next === undefined || !('word' in next)) continue;
      if (/^(\d*>\|?|&>)$/.test(token.sign)) add(next.word);
      tokens.splice(at + 1, 1);
    }
  }
  finish();
  return [...found];
}

function writtenBy(program: string, given: readonly (string | null)[]): (string | null)[] {
  const isSwitch = (word: string | null): boolean => word?.startsWith('-') === true;
  const switches = given.filter(isSwitch).join(' ');
  const named = given.filter((word) => !isSwitch(word));
  if (program === 'tee') return /(^| )(-\w*a|--append)/.test(switches) ? [] : named;
  if (program !== 'cp' && program !== 'mv') return [];
  const target = named.at(-1);
  // With these it writes over nothing, or the target stands elsewhere.
  if (named.length < 2 || target == null || /(^| )(-\w*[ntTu]|--(no-clobber|target|no-target|update))/.test(switches))
    return [];
  const sources = named.slice(0, -1);
  const below = sources.map((source) => (source === null ? null : `${target}/${source.split('/').at(-1)}`));
  return sources.length === 1 ? [target, ...below] : below;
}

function tokensOf(command: string): Token[] {
  const tokens: Token[] = [];
  let rest = command;
  while (rest !== '') {
    const space = /^(?:[ \t\r]|\\\n|#.*)+/.exec(rest)?.[0];
    const sign = signs.exec(rest)?.[0];
    if (space !== undefined) rest = rest.slice(space.length);
    else if (sign?.startsWith('<<') && sign !== '<<<') {
      // A text follows in later lines, in which no sign means anything.
      rest = /^[^\n]*/.exec(rest.slice(sign.length))?.[0] ?? '';
    } else if (sign !== undefined) {
      tokens.push({ sign });
      rest = rest.slice(sign.length);
    } else {
      const [word, length] = wordIn(rest);
      tokens.push({ word });
      rest = rest.slice(length);
    }
  }
  return tokens;
}

function wordIn(text: string): [word: string | null, length: number] {
  let word = '';
  let isKnown = true;
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at);
    const single = /^'([^']*)'/.exec(rest);
    const double = /^"((?:[^"\\]|\\[\s\S])*)"/.exec(rest);
    const [character = ''] = rest;
    if (single !== null) {
      word += single[1];
      at += single[0].length;
    } else if (double !== null) {
      if (/[$`\\]/.test(double[1] ?? '')) isKnown = false;
      word += double[1];
      at += double[0].length;
    } else if (character === '\\') {
      word += rest[1] ?? '';
      at += 2;
    } else if (/[\s;&|()<>]/.test(character)) break;
    else {
      if (unknowable.test(character) || character === '"' || character === "'") isKnown = false;
      word += character;
      at += 1;
    }
  }
  return [isKnown ? word : null, Math.max(1, at)];
}
