import { describe, expect, it } from 'vitest';
import { script } from './script.ts';

const { catalogFaults, messagesIn } = await script<{
  catalogFaults: (file: string, catalog: Record<string, string>, names: readonly string[]) => string[];
  messagesIn: (
    path: string,
    source: string,
  ) => { place: string; text: string | null; context: string | null; faults: string[] }[];
}>('../words/extract');

const inFile = (code: string) =>
  messagesIn(
    'renderer/shell/a.tsx',
    "import { t, translated } from '../../app/language/translate.ts';\n" +
      "import { msg } from '../../app/language/messages.ts';\n" +
      `import { rich } from '../parts/rich.tsx';\n${code}`,
  );
const faultsOf = (code: string) => inFile(code).flatMap(({ faults }) => faults);

describe('messages in the sources', () => {
  it('are the first arguments of t, rich and msg, with their context', () => {
    const found = inFile(
      "t('Requests'); t('Open', {}, 'a button'); msg('Usage');\n" +
        "rich('Press <kbd>{key}</kbd>', { key, kbd: (inside) => inside }); t('A long ' + 'sentence.');",
    );
    expect(found.map(({ place, text, context, faults }) => [place, text, context, faults])).toEqual([
      ['renderer/shell/a.tsx:4', 'Requests', null, []],
      ['renderer/shell/a.tsx:4', 'Open', 'a button', []],
      ['renderer/shell/a.tsx:4', 'Usage', null, []],
      ['renderer/shell/a.tsx:5', 'Press <kbd>{key}</kbd>', null, []],
      ['renderer/shell/a.tsx:5', 'A long sentence.', null, []],
    ]);
  });

  it('are those of our functions alone', () => {
    expect(messagesIn('renderer/a.ts', "import { t } from './language/other.ts';\nt('No message');")).toEqual([]);
    expect(inFile("other.t('No message'); translated(title);")).toEqual([]);
  });

  it.each([
    ['t(title)', /^computes a message: write it out/],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code.
    ['t(`Go to ${title}`)', /^computes a message: write it out/],
    ["t('Open', {}, why)", /^computes the context/],
    ["t('{count, plural, one {#}}', { count })", /^has a message that is no ICU message/],
    ["t('{open', {})", /^has a message that is no ICU message/],
    ["t(' of 3')", /^has a message with blanks at its end/],
    ["t('Go to {title}')", /^doesn’t give {title}/],
    ["t('Go to {title}', { name })", /^doesn’t give {title}/],
    ["t('Go to it', { title })", /^gives {title}/],
    ["t('Go to {title}', values)", /^gives the values of a message as a variable/],
    ["rich('Press <kbd>it</kbd>', {})", /^doesn’t give {kbd}/],
    ["msg('Go to {title}')", /^marks a message with values/],
  ])('are refused as %s', (code, fault) => {
    expect(faultsOf(code)[0]).toMatch(fault);
  });
});

describe('a catalog', () => {
  const names = ['Open ⟨a button⟩', '{count, plural, one {# request} other {# requests}}'];
  const whole = {
    'Open ⟨a button⟩': 'Öffnen',
    '{count, plural, one {# request} other {# requests}}': '{count, plural, one {# Anfrage} other {# Anfragen}}',
  };

  it('has each message and no other, with the same values', () => {
    expect(catalogFaults('de.json', whole, names)).toEqual([]);
    expect(
      catalogFaults(
        'de.json',
        { '{count, plural, one {# request} other {# requests}}': '{anzahl} Anfragen', Gone: 'Weg' },
        names,
      ),
    ).toEqual([
      'de.json lacks a translation: Open ⟨a button⟩',
      'de.json translates what no source says; remove it: Gone',
      `de.json leaves out {count} in the translation of: ${names[1]}`,
      `de.json has {anzahl}, which its message lacks, in the translation of: ${names[1]}`,
    ]);
    expect(catalogFaults('de.json', { ...whole, 'Open ⟨a button⟩': '{Öffnen' }, names)[0]).toMatch(/no ICU message/);
  });
});
