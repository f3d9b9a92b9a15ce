/**
 * Prompts with places to fill, as a person writes them, `Review {{file}}`, and as Claude Code 2.1.328 has them in a
 * file of a command. There a place is `$file`, with its name in `arguments` of the front matter, `$ARGUMENTS` for all
 * that was typed behind the command, or `$0`, `$1` … by its position; `\$0` is no place.
 */
export interface Template {
  /** With its places as `{{name}}`. */
  text: string;
  /** Names of the places, in the order in which they are typed behind the command. */
  places: readonly string[];
  description: string | null;
  /** False: as a command it does what words can't do, such as run a program or choose a model. */
  isPlain: boolean;
}

/** Front matter that says nothing of what the command does. */
const plainKeys: ReadonlySet<string> = new Set(['description', 'argument-hint', 'arguments']);
/** Claude Code runs what stands there. */
const runs = /!`[^`\n]+`|^```!/m;
const written = /\{\{ *([A-Za-z]\w*) *\}\}/g;
const all = 'ARGUMENTS';

/** The places of a text, each once, as they come. */
export function placesOf(text: string): string[] {
  return [...new Set([...text.matchAll(written)].flatMap((match) => match[1] ?? []))];
}

/** The text with what was written into its places. Those that were left empty stay. */
export function filled(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(written, (place, name: string) => values.get(name) || place);
}

/** Whether Claude Code would run a part of this text where it is a command's. */
export function wouldRun(text: string): boolean {
  return runs.test(text);
}

export function readTemplate(raw: string): Template {
  const { fields, body } = frontMatter(raw.replaceAll('\r\n', '\n'));
  const named = namesIn(fields.get('arguments') ?? '');
  const hinted = [...(fields.get('argument-hint') ?? '').matchAll(/\[([^\]]+)\]/g)].map((match) =>
    asName(match[1] ?? ''),
  );
  const nameAt = (at: string): string => named[Number(at)] ?? (hinted[Number(at)] || `argument${Number(at) + 1}`);
  const names = named.join('|');
  const place = new RegExp(
    `(\\\\?)\\$(?:${all}\\[(\\d+)\\]|(\\d+)(?!\\w)|(${[all, names].filter(Boolean).join('|')})(?!\\w))`,
    'g',
  );
  const text = body.replace(place, (whole, escaped: string, index?: string, number?: string, name?: string) => {
    if (escaped !== '') return whole.slice(1);
    const at = index ?? number;
    return `{{${at === undefined ? name : nameAt(at)}}}`;
  });
  const found = placesOf(text);
  const order = [...named, ...hinted].filter((one) => found.includes(one));
  return {
    text: text.trim(),
    places: [...new Set([...order, ...found])],
    description: fields.get('description') || null,
    isPlain: !runs.test(body) && [...fields.keys()].every((key) => plainKeys.has(key)),
  };
}

/** @param places the order of those that it had before; new ones come behind them */
export function writeTemplate({ text, places, description }: Omit<Template, 'isPlain'>): string {
  const found = placesOf(text);
  const order = [...new Set([...places, ...found])].filter((one) => found.includes(one) && one !== all);
  const sign = new RegExp(`\\$(?=\\d|(?:${[all, ...order].join('|')})(?!\\w))`, 'g');
  const body = text
    .trim()
    .replace(sign, '\\$')
    .replace(written, (_place, name: string) => `$${name}`);
  const fields = [
    ...(description === null ? [] : [`description: ${JSON.stringify(description)}`]),
    ...(found.length === 0
      ? []
      : [`argument-hint: ${JSON.stringify((order.length === 0 ? found : order).map((one) => `[${one}]`).join(' '))}`]),
    ...(order.length === 0 ? [] : [`arguments: [${order.join(', ')}]`]),
  ];
  // A text that begins with a rule must not be read as front matter.
  const front = fields.length > 0 || body.startsWith('---') ? ['---', ...fields, '---', ''].join('\n') : '';
  return `${front}${body}\n`;
}

/** As much of YAML as such a file has: a line for each field, lists on one line or below it. */
function frontMatter(raw: string): { fields: Map<string, string>; body: string } {
  const fields = new Map<string, string>();
  const match = /^---[ \t]*\n((?:[^\n]*\n)*?)---[ \t]*(?:\n|$)/.exec(raw);
  if (match === null) return { fields, body: raw };
  let last: string | null = null;
  for (const line of (match[1] ?? '').split('\n')) {
    const [, key, value] = /^([\w-]+):(?:[ \t]+(.*))?$/.exec(line) ?? [];
    if (key !== undefined) {
      last = key;
      fields.set(key, unquoted((value ?? '').trim()));
    } else if (last !== null && line.trim() !== '') {
      fields.set(last, `${fields.get(last)} ${unquoted(line.trim().replace(/^- +/, ''))}`.trim());
    }
  }
  return { fields, body: raw.slice(match[0].length) };
}

function unquoted(value: string): string {
  if (/^".*"$/s.test(value)) {
    try {
      return String(JSON.parse(value));
    } catch {
      return value.slice(1, -1);
    }
  }
  return /^'.*'$/s.test(value) ? value.slice(1, -1).replaceAll("''", "'") : value;
}

/** `[file, issue]`, `file issue` */
function namesIn(value: string): string[] {
  return value
    .replace(/^\[|\]$/g, '')
    .split(/[\s,]+/)
    .map((one) => unquoted(one))
    .filter((one) => /^[A-Za-z]\w*$/.test(one));
}

function asName(words: string): string {
  return words
    .trim()
    .replace(/\W+/g, '_')
    .replace(/^[\d_]+|_+$/g, '');
}
