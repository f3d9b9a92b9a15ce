import { expect, it } from 'vitest';
import { statusLine, usualFormat } from '../../../app/cli/line-format.ts';

const red = (text: string): string => `<red>${text}</>`;
const words = {
  model: 'Opus 4.8',
  credits: '12.40 credits',
  today: '31.07 today',
  left: '2,002 credits left',
  context: '42% context',
  jumpseat: 'Jumpseat',
};

it('has all that is known, and leaves out what is not, with its separator and its own text', () => {
  expect(statusLine(usualFormat, words, null, red)).toBe(
    'Opus 4.8 · 12.40 credits · 31.07 today · 2,002 credits left · 42% context · Jumpseat',
  );
  const { model: _model, today: _today, ...rest } = words;
  expect(statusLine(usualFormat, rest, null, red)).toBe('12.40 credits · 2,002 credits left · 42% context · Jumpseat');
  expect(statusLine('[{model}] | spent {today} | {left} · {other}', rest, null, red)).toBe(
    '2,002 credits left · {other}',
  );
});

it('says in red why requests don’t go through Jumpseat, also where the format doesn’t ask', () => {
  const off = { ...words, jumpseat: 'Jumpseat: The proxy is off' };
  expect(statusLine('{jumpseat} · {model}', off, 'The proxy is off', red)).toBe(
    '<red>Jumpseat: The proxy is off</> · Opus 4.8',
  );
  expect(statusLine('{model}', off, 'The proxy is off', red)).toBe('Opus 4.8 · <red>Jumpseat: The proxy is off</>');
  expect(statusLine('{model}', words, null, red)).toBe('Opus 4.8');
});

it('is one line without control codes, whatever is in names and format', () => {
  const odd = { ...words, model: 'a\nb\r\u2028c\u001b[31md\u001b]0;title\u0007e\u202ef\u0000{left}' };
  const line = statusLine('{model}\n · \u001b[2Jx', odd, null, red);
  expect(line).toBe('a b cd]0;titleef{left} · x');
});
