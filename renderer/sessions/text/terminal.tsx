import { type CSSProperties, memo, useMemo } from 'react';

/** How a piece of a terminal's text looks. A colour is one of the 16, or `#rrggbb`; null for the usual one. */
interface TerminalLook {
  colour: number | string | null;
  ground: number | string | null;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  struck: boolean;
  inverse: boolean;
}

interface TerminalRun {
  text: string;
  look: TerminalLook;
}

export const plainLook: TerminalLook = {
  ...{ colour: null, ground: null, bold: false, dim: false, italic: false, underline: false, struck: false },
  inverse: false,
};

/**
 * Every sequence of ECMA-48: CSI (the first two groups are its parameters and its last letter), strings (OSC, DCS, SOS,
 * PM, APC) up to their end, and others with one letter; 7 and 8 bits wide. One that was cut at the end goes as well.
 */
const sequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~]?)|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x9c|\x1b\\|$)?|\x1b[ -/]*[0-~]?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above.
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** A terminal's text: its colours, and nothing else of what it could do to one. */
export function terminalRuns(text: string): TerminalRun[] {
  const runs: TerminalRun[] = [];
  let look = plainLook;
  let from = 0;
  const source = overwritten(text);
  const push = (words: string): void => {
    const clean = words.replace(controls, '');
    const last = runs.at(-1);
    if (clean === '') return;
    if (last !== undefined && last.look === look) last.text += clean;
    else runs.push({ text: clean, look });
  };
  for (const found of source.matchAll(sequence)) {
    push(source.slice(from, found.index));
    from = found.index + found[0].length;
    if (found[2] === 'm') look = turned(look, found[1] ?? '');
  }
  push(source.slice(from));
  return runs;
}

/** The words alone. */
export function terminalText(text: string): string {
  return overwritten(text).replace(sequence, '').replace(controls, '');
}

/** Progress draws a line again and again: what it came to is kept. */
function overwritten(text: string): string {
  const lines = text.replace(/\r+\n/g, '\n');
  if (!lines.includes('\r')) return lines;
  return lines
    .split('\n')
    .map((line) => line.replace(/\r+$/, '').split('\r').at(-1) ?? '')
    .join('\n');
}

function turned(before: TerminalLook, parameters: string): TerminalLook {
  const codes = parameters.split(/[;:]/).map((code) => (code === '' ? 0 : Number(code)));
  let look = before;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const [colour, taken] = longColour(codes, at + 1);
      look = code === 38 ? { ...look, colour } : { ...look, ground: colour };
      at += taken;
    } else look = { ...look, ...change(code) };
  }
  return isPlain(look) ? plainLook : look;
}

function isPlain(look: TerminalLook): boolean {
  return Object.values(look).every((value) => value === null || value === false);
}

function change(code: number): Partial<TerminalLook> {
  if (code >= 30 && code <= 37) return { colour: code - 30 };
  if (code >= 40 && code <= 47) return { ground: code - 40 };
  if (code >= 90 && code <= 97) return { colour: code - 82 };
  if (code >= 100 && code <= 107) return { ground: code - 92 };
  return single.get(code) ?? {};
}

const single = new Map<number, Partial<TerminalLook>>([
  [0, plainLook],
  [1, { bold: true }],
  [2, { dim: true }],
  [3, { italic: true }],
  [4, { underline: true }],
  [7, { inverse: true }],
  [9, { struck: true }],
  [22, { bold: false, dim: false }],
  [23, { italic: false }],
  [24, { underline: false }],
  [27, { inverse: false }],
  [29, { struck: false }],
  [39, { colour: null }],
  [49, { ground: null }],
]);

/** `5;n` of 256 colours, or `2;r;g;b`; and how many of the codes that takes. */
function longColour(codes: readonly number[], at: number): [number | string | null, number] {
  const part = (index: number): number => Math.max(0, Math.min(255, Math.trunc(codes[index] ?? 0) || 0));
  if (codes[at] === 2) return [hex(part(at + 1), part(at + 2), part(at + 3)), 4];
  if (codes[at] !== 5) return [null, 1];
  const index = part(at + 1);
  if (index < 16) return [index, 2];
  if (index >= 232) return [hex(...grey(index - 232)), 2];
  const level = (value: number): number => (value === 0 ? 0 : 55 + value * 40);
  const cube = index - 16;
  return [hex(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)), 2];
}

function grey(step: number): [number, number, number] {
  const value = 8 + step * 10;
  return [value, value, value];
}

function hex(...parts: [number, number, number]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** What a program printed, with its colours; every other escape is dropped. */
export const Terminal = memo(function Terminal({ text }: { text: string }) {
  const runs = useMemo(() => terminalRuns(text), [text]);
  return runs.map(({ text: words, look }, index) =>
    look === plainLook ? (
      words
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text that stays as it is.
      <span key={index} style={styleOf(look)}>
        {words}
      </span>
    ),
  );
});

/** The first eight of the 16. The others are these again, except for a grey and the brightest one. */
const named = [
  'light-dark(#1f2328, #9198a1)',
  ...['danger', 'success', 'warning', 'accent'].map((name) => `var(--${name})`),
  'light-dark(#8250df, #bc8cff)',
  'light-dark(#116b77, #39c5cf)',
  'var(--fg-muted)',
];
const grounds = [
  'light-dark(#e4e9ee, #262c36)',
  ...['danger-bg', 'success-bg', 'warning-bg', 'bg-selected'].map((name) => `var(--${name})`),
  'light-dark(#fbefff, #271c3a)',
  'var(--bg-selected)',
  'light-dark(#e4e9ee, #262c36)',
];

function nameOf(colour: number): string | undefined {
  if (colour === 15) return 'var(--fg)';
  return named[colour === 8 ? 7 : colour % 8];
}

/** Colours of the program's own choice come with their ground or as near to it as the theme can read. */
function styleOf(look: TerminalLook): CSSProperties | undefined {
  const { colour, ground, dim, inverse } = look;
  const style: CSSProperties = {};
  if (look.bold) style.fontWeight = 600;
  if (look.italic) style.fontStyle = 'italic';
  const line = [look.underline && 'underline', look.struck && 'line-through'].filter(Boolean).join(' ');
  if (line !== '') style.textDecoration = line;
  if (dim) style.color = 'var(--fg-muted)';
  if (inverse) Object.assign(style, { backgroundColor: 'var(--fg)', color: 'var(--bg)' });
  if (typeof colour === 'number' && !dim && !inverse) style.color = nameOf(colour);
  if (typeof ground === 'number' && !inverse) style.backgroundColor = grounds[ground % 8];
  if (typeof colour === 'string') style.color = typeof ground === 'string' ? colour : readable(colour);
  if (typeof ground === 'string') style.backgroundColor = ground;
  return Object.keys(style).length === 0 ? undefined : style;
}

const readable = (colour: string): string =>
  `light-dark(color-mix(in srgb, ${colour} 55%, black), color-mix(in srgb, ${colour} 65%, white))`;
