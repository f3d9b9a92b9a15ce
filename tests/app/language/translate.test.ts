import { afterEach, describe, expect, it } from 'vitest';
import { listed, separators, shortMonth, weekdayName } from '../../../app/language/formats.ts';
import { english, inEnglish, type Language, onLanguage, showLanguage } from '../../../app/language/language.ts';
import { msg } from '../../../app/language/messages.ts';
import { pseudo } from '../../../app/language/pseudo.ts';
import { richParts, t, translated } from '../../../app/language/translate.ts';

afterEach(() => showLanguage(english));

const german: Language = {
  tag: 'de',
  message: (text) =>
    ({
      Requests: 'Anfragen',
      'Open ⟨a button⟩': 'Öffnen',
      Open: 'Offen',
      '{count, plural, one {# request} other {# requests}} of {client}':
        '{count, plural, one {# Anfrage} other {# Anfragen}} von {client}',
      'Press <kbd>{key}</kbd> to send': 'Mit <kbd>{key}</kbd> senden',
    })[text] ?? null,
};

const requests = (count: number): string =>
  t('{count, plural, one {# request} other {# requests}} of {client}', { count, client: 'Codex' });

describe('messages', () => {
  it('are English as they are written, plurals and groups of thousands included', () => {
    expect(t('Requests')).toBe('Requests');
    expect([requests(1), requests(1234)]).toEqual(['1 request of Codex', '1,234 requests of Codex']);
    expect(t('Open', {}, 'a button')).toBe('Open');
  });

  it('follow the language from the next call on, and its plurals, groups and contexts', () => {
    expect(requests(2)).toBe('2 requests of Codex');
    showLanguage(german);
    expect([requests(1), requests(1234)]).toEqual(['1 Anfrage von Codex', '1.234 Anfragen von Codex']);
    expect(translated(msg('Requests'))).toBe('Anfragen');
    expect([t('Open'), t('Open', {}, 'a button')]).toEqual(['Offen', 'Öffnen']);
  });

  it('are English for a log or a program, whatever language is shown', () => {
    showLanguage(german);
    const heard: string[] = [];
    const end = onLanguage(() => heard.push('changed'));
    expect(inEnglish(() => [requests(1234), shortMonth(11), listed(['a', 'b'])])).toEqual([
      '1,234 requests of Codex',
      'Dec',
      'a and b',
    ]);
    expect(() =>
      inEnglish(() => {
        throw new Error('no words');
      }),
    ).toThrow('no words');
    end();
    expect([requests(1234), shortMonth(11), heard]).toEqual(['1.234 Anfragen von Codex', 'Dez', []]);
  });

  it('stay English, with English plurals, where a language lacks them', () => {
    showLanguage(german);
    expect(t('{count, plural, one {# file} other {# files}}', { count: 1234 })).toBe('1,234 files');
  });

  it('put nothing into an English text that looks like a value', () => {
    expect(t('{name} is read', { name: '{name} <b>' })).toBe('{name} <b> is read');
  });

  it('keep elements in the order of the language', () => {
    const parts = () =>
      richParts<{ kbd: string }>('Press <kbd>{key}</kbd> to send', {
        key: 'Enter',
        kbd: (inside) => ({ kbd: inside.join('') }),
      });
    expect(parts()).toEqual(['Press ', { kbd: 'Enter' }, ' to send']);
    showLanguage(german);
    expect(parts()).toEqual(['Mit ', { kbd: 'Enter' }, ' senden']);
  });

  it('are accented, longer and in brackets in the pseudo-locale, values and tags untouched', () => {
    showLanguage(pseudo);
    expect(t('Settings')).toBe('⟦Šéţţîñĝš~~~⟧');
    expect(t('Open', {}, 'a button')).toBe('⟦Öþéñ~~⟧');
    expect(requests(1234)).toBe('⟦1,234 ŕéǫûéšţš öƒ Codex~~⟧');
    expect(richParts<string>('Press <kbd>{key}</kbd>', { key: 'Enter', kbd: ([key]) => `[${key}]` }).join('')).toBe(
      '⟦Þŕéšš [Enter]~~⟧',
    );
  });
});

describe('the shown language', () => {
  it('tells who listens of a change, and no one after', () => {
    const heard: string[] = [];
    const end = onLanguage(() => heard.push(t('Requests')));
    showLanguage(german);
    showLanguage(german);
    end();
    showLanguage(english);
    expect(heard).toEqual(['Anfragen']);
  });
});

describe('Intl', () => {
  it('names months, days and separators as the language does', () => {
    expect([separators(), shortMonth(8), weekdayName(0, 'long')]).toEqual([
      { group: ',', decimal: '.' },
      'Sep',
      'Sunday',
    ]);
    showLanguage(german);
    expect([separators(), shortMonth(11), weekdayName(1, 'short')]).toEqual([
      { group: '.', decimal: ',' },
      'Dez',
      'Mo',
    ]);
  });

  it('writes for English what it would say itself', () => {
    const months = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' });
    const days = (['short', 'long'] as const).map(
      (weekday) => new Intl.DateTimeFormat('en-US', { weekday, timeZone: 'UTC' }),
    );
    for (let month = 0; month < 12; month += 1) expect(shortMonth(month)).toBe(months.format(Date.UTC(2026, month, 1)));
    for (let day = 0; day < 7; day += 1)
      expect([weekdayName(day, 'short'), weekdayName(day, 'long')]).toEqual(
        days.map(({ format }) => format(Date.UTC(2026, 0, 4 + day))),
      );
  });

  it('joins lists as the language does', () => {
    expect(listed(['a', 'b', 'c'])).toBe('a, b, and c');
    showLanguage(german);
    expect([listed(['a', 'b', 'c']), listed(['a', 'b'], 'disjunction')]).toEqual(['a, b und c', 'a oder b']);
  });
});
