import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { english, inLanguage, type Language } from '../../../app/language/language.ts';
import { languageOfPage } from '../../../app/language/languages.ts';
import { pseudo } from '../../../app/language/pseudo.ts';
import { rememberSentences, sentenceIn } from '../../../app/language/remembered.ts';
import { altered, asSentence, joined, onSentence } from '../../../app/language/sentences.ts';
import { t } from '../../../app/language/translate.ts';
import { bytes, grouped, percentage } from '../../../app/words/numbers.ts';
import { dayAndTime } from '../../../app/words/times.ts';

const catalog = {
  'It is off.': 'Es ist aus.',
  'Turn it on.': 'Schalten Sie es ein.',
  'Port {port} is in use.': 'Port {port} ist belegt.',
  'Can’t start: {why}': 'Start nicht möglich: {why}',
  '{count, plural, one {# key} other {# keys}}': '{count, plural, one {# Schlüssel} other {# Schlüssel}}',
  '{name} has {amount} left until {time}.': '{name} hat bis {time} noch {amount}.',
  '{day}, {time}': '{day}, {time} Uhr',
  '{count, plural, one {# request waits} other {# requests wait}} in memory.':
    '{count, plural, one {# Anfrage wartet} other {# Anfragen warten}} im Speicher.',
  'Rows weren’t written: {why}': 'Zeilen wurden nicht geschrieben: {why}',
  '{percent} of your credits are left.': '{percent} Ihrer Credits sind übrig.',
  '{used} of {most} credits are used.': '{used} von {most} Credits sind verbraucht.',
  'The account “{name}” is gone.': 'Das Konto „{name}“ ist weg.',
  'The key “{key}” is gone.': 'Der Schlüssel „{key}“ ist weg.',
  Yes: 'Ja',
};
const german: Language = { tag: 'de', catalog, message: (text) => Object(catalog)[text] ?? null };
const inGerman = (sentence: string): string => sentenceIn(german, sentence);

beforeAll(rememberSentences);
afterAll(() => onSentence(() => undefined));

describe('a sentence that the app made in English, for a page in another language', () => {
  it('is made again with its values', () => {
    expect(inGerman(t('Port {port} is in use.', { port: '4180' }))).toBe('Port 4180 ist belegt.');
    expect(inGerman(t('{count, plural, one {# key} other {# keys}}', { count: 1200 }))).toBe('1.200 Schlüssel');
    expect(sentenceIn(english, t('It is off.'))).toBe('It is off.');
  });

  it('has its figures and times as that language writes them', () => {
    const time = dayAndTime(Date.UTC(2026, 11, 1, 12, 0));
    const sentence = t('{name} has {amount} left until {time}.', { name: 'octo', amount: grouped(1234.5, 1), time });
    expect(sentence).toMatch(/^octo has 1,234\.5 left until 1 Dec 2026, \d\d:00\.$/);
    expect(inGerman(sentence)).toMatch(/^octo hat bis 1\. Dez\. 2026, \d\d:00 Uhr noch 1\.234,5\.$/);
    expect(inGerman(bytes(41_800_000))).toBe('41,8 MB');
    expect([inGerman(percentage(71.4, 1)), inGerman(percentage(50))]).toEqual(['71,4\u00a0%', '50\u00a0%']);
    // As a stored row has it, which another run made.
    expect(inGerman('99.7% of your credits are left.')).toBe('99,7\u00a0% Ihrer Credits sind übrig.');
  });

  it('is found as a value of another one, and beside others', () => {
    const why = t('Port {port} is in use.', { port: '4181' });
    const whole = t('Can’t start: {why}', { why: `${why} ${t('Turn it on.')}` });
    expect(inGerman(whole)).toBe('Start nicht möglich: Port 4181 ist belegt. Schalten Sie es ein.');
    expect(inGerman(`Copilot said no. ${whole} ${t('It is off.')}`)).toBe(
      'Copilot said no. Start nicht möglich: Port 4181 ist belegt. Schalten Sie es ein. Es ist aus.',
    );
    expect(inGerman(joined([t('{count, plural, one {# key} other {# keys}}', { count: 1 }), 'work']))).toBe(
      '1 Schlüssel, work',
    );
  });

  it('ends as that language ends a sentence', () => {
    const japanese: Language = {
      tag: 'ja',
      catalog: { Yes: 'はい' },
      message: (text) => (text === 'Yes' ? 'はい' : null),
    };
    const sentence = asSentence(t('Yes'));
    expect([sentence, inGerman(sentence), sentenceIn(japanese, sentence)]).toEqual(['Yes.', 'Ja.', 'はい。']);
  });

  it('is found after a change that is no word', () => {
    const short = altered(t('Port {port} is in use.', { port: '/home/ada/a' }), (text) =>
      text.replace('/home/ada', '~'),
    );
    expect([short, inGerman(short)]).toEqual(['Port ~/a is in use.', 'Port ~/a ist belegt.']);
  });

  it('is found in the catalog where another run made it, if it has no values', () => {
    expect(inGerman('It is off. Turn it on.')).toBe('Es ist aus. Schalten Sie es ein.');
    expect(inGerman('constructor')).toBe('constructor');
  });

  it('is found by the words around its values where another run made it', () => {
    expect(inGerman('Port 4183 is in use.')).toBe('Port 4183 ist belegt.');
    expect(inGerman('1,200 requests wait in memory. Port 4183 is in use.')).toBe(
      '1.200 Anfragen warten im Speicher. Port 4183 ist belegt.',
    );
    expect(inGerman('1 request waits in memory.')).toBe('1 Anfrage wartet im Speicher.');
    expect(inGerman('Rows weren’t written: Port 4183 is in use.')).toBe(
      'Zeilen wurden nicht geschrieben: Port 4183 ist belegt.',
    );
    expect(inGerman('12.5 of 1,000 credits are used.')).toBe('12,5 von 1.000 Credits sind verbraucht.');
  });

  it('has no value that goes beyond a sentence, and none that is a message by chance', () => {
    const others = 'Copilot said no to port 1. Then port 4183 is in use.';
    expect(inGerman(others)).toBe(others);
    expect(inGerman('The account “It is off.” is gone.')).toBe('Das Konto „It is off.“ ist weg.');
    expect(inGerman('The key “Yes” is gone.')).toBe('Der Schlüssel „Yes“ ist weg.');
    expect(inGerman('4183 in use.')).toBe('4183 in use.');
  });

  it('stays English where nothing is known of it, and words of others stay as they are', () => {
    expect(inGerman('The moon is full. Nobody made this.')).toBe('The moon is full. Nobody made this.');
    // A name that is a message by chance.
    const sentence = t('Port {port} is in use.', { port: 'Turn it off.' });
    expect(inGerman(sentence)).toBe('Port Turn it off. ist belegt.');
    expect(inGerman('')).toBe('');
    // Also where the process has made that message, or one after the other.
    expect(t('It is off.')).toBe('It is off.');
    const named = t('{name} has {amount} left until {time}.', {
      name: 'It is off.',
      amount: 'It is off.',
      time: 'then',
    });
    expect(inGerman(named)).toBe('It is off. hat bis then noch Es ist aus..');
  });

  it('is not remembered when it was made for another language', () => {
    const text = inLanguage(german, () => t('Port {port} is in use.', { port: '9' }));
    expect(text).toBe('Port 9 ist belegt.');
    expect(sentenceIn(pseudo, text)).toBe(text);
  });

  it('does not end in a circle where its value is the whole of it', () => {
    const same = t('{name}', { name: 'a sentence' });
    expect(inGerman(same)).toBe('a sentence');
  });
});

describe('the memory', () => {
  it('has an end: the sentence that was not asked for the longest goes first', () => {
    const first = t('Port {port} is in use.', { port: 'first' });
    const asked = t('Port {port} is in use.', { port: 'asked' });
    for (let port = 0; port < 4_000; port += 1) {
      t('Port {port} is in use.', { port: String(port) });
      inGerman(asked);
    }
    // What is forgotten is found in the catalog, and only there.
    const other: Language = { tag: 'de', message: german.message };
    expect([sentenceIn(other, first), sentenceIn(other, asked)]).toEqual([first, 'Port asked ist belegt.']);
  });

  it('keeps what has no values, of which the sources have only so many', () => {
    const fixed = t('It is off.');
    expect(sentenceIn(pseudo, fixed)).toMatch(/^⟦.*⟧$/);
  });
});

it('a page names its language; English for what is none', async () => {
  const tags = async (...given: unknown[]) => Promise.all(given.map(async (tag) => (await languageOfPage(tag)).tag));
  expect(await tags('de', 'zh-CN', 'en-XA')).toEqual(['de', 'zh-CN', 'en-XA']);
  expect(await tags('fr', '../../x', ['de'], undefined, '', 'en', 'constructor')).toEqual(Array(7).fill('en'));
  expect(await languageOfPage('de')).toBe(await languageOfPage('de'));
});
