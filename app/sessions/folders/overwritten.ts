/** A word with its quotes taken off; null: only the shell knows what it becomes. */
type Token = { word: string | null } | { sign: string };

const signs = /^(?:\d*>>|&>>|\d*>\||\d*>&|\d*<&|\d*<>|\d*>|&>|<<<|<<-?|\d*<|&&|\|\||\|&|[;&|()\n])/;
const ends: ReadonlySet<string> = new Set([';', '&', '&&', '|', '||', '|&', '(', ')', '\n']);
/** Characters that only the shell can resolve where they stand without quotes. */
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
