/** Those that a model writes; another stands as it is. */
const named: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', copy: '©', reg: '®', trade: '™' },
    ...{ hellip: '…', mdash: '—', ndash: '–', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', bull: '•', middot: '·' },
    ...{
      times: '×',
      divide: '÷',
      plusmn: '±',
      minus: '−',
      le: '≤',
      ge: '≥',
      ne: '≠',
      asymp: '≈',
      infin: '∞',
      deg: '°',
    },
    ...{ larr: '←', rarr: '→', uarr: '↑', darr: '↓', harr: '↔', rArr: '⇒', check: '✓', cross: '✗', sect: '§' },
    ...{ euro: '€', pound: '£', yen: '¥', cent: '¢', laquo: '«', raquo: '»', micro: 'µ', para: '¶', ensp: '\u2002' },
  }),
);

/** `&lt;` and `&#60;` as the character they mean. */
export function withCharacters(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]{2,8}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return named.get(name) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    const isCharacter = code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff);
    return isCharacter ? String.fromCodePoint(code) : '�';
  });
}
