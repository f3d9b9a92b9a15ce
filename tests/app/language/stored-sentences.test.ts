import { describe, expect, it } from 'vitest';
import { inLanguage } from '../../../app/language/language.ts';
import { type LanguageTag, loadLanguage } from '../../../app/language/languages.ts';
import { inShownLanguage } from '../../../app/language/remembered.ts';
import { t } from '../../../app/language/translate.ts';
import { retryWords } from '../../../app/words/exchange-cells.ts';
import { changesByOrigin } from '../../../app/words/request-changes.ts';
import { why } from '../../../app/words/why.ts';

/** Rows of the log hold English, also those of earlier runs: of nothing in here the process knows how it was made. */

async function shown(tag: LanguageTag, sentence: string): Promise<string> {
  return inLanguage(await loadLanguage(tag), () => inShownLanguage(sentence));
}

describe('a failure of an earlier run', () => {
  it.each([
    ['The connection broke in the middle of Copilot’s answer.', 'Die Verbindung brach mitten in Copilots Antwort ab.'],
    ['No connection (EPROTO).', 'Keine Verbindung (EPROTO).'],
    [
      'Jumpseat: no connection to api.githubcopilot.com, because the connection was refused. Check the network, then try again.',
      'Jumpseat: keine Verbindung zu api.githubcopilot.com: die Verbindung wurde abgelehnt. Prüfen Sie das Netzwerk und versuchen Sie es dann erneut.',
    ],
    [
      'Jumpseat: held back because more than 1,200 requests started within a minute. Let it through in the window.',
      'Jumpseat: zurückgehalten, weil: mehr als 1.200 Anfragen innerhalb einer Minute. Lassen Sie sie im Fenster durch.',
    ],
    [
      'Jumpseat: held back because 5.20 of the 5 credits you allow for a day are used. They start anew on 1 Dec 2026, 01:00.',
      'Jumpseat: zurückgehalten, weil: 5,20 von 5 Credits, die Sie für einen Tag zulassen, sind verbraucht. Sie beginnen neu: 1. Dez. 2026, 01:00.',
    ],
    [
      'Jumpseat: you’ve reached Copilot’s weekly limit. Try again in 5 minutes.',
      'Jumpseat: Sie haben Copilots Wochenlimit erreicht. Versuchen Sie es in 5 Minuten erneut.',
    ],
  ])('%s', async (english, german) => {
    expect(await shown('de', english)).toBe(german);
    expect(await shown('en', english)).toBe(english);
  });

  it('has its remedy in Japanese and Chinese, without blanks between sentences', async () => {
    const row = 'Jumpseat: the request is too large. Leave out images or run /compact.';
    expect(await shown('ja', row)).toBe(
      'Jumpseat: リクエストが大きすぎます。画像を省くか、/compact を実行してください。',
    );
    expect(await shown('zh-CN', row)).toBe('Jumpseat：该请求过大。请去掉图像，或运行 /compact。');
  });

  it('keeps what others said and named, also where that is a message by chance', async () => {
    const quoted =
      'Jumpseat: refused for your account. Your seat was removed by Octo. Leave out images or run /compact.';
    expect(await shown('de', quoted)).toBe(
      'Jumpseat: für Ihr Konto abgelehnt. Your seat was removed by Octo. Lassen Sie Bilder weg oder führen Sie /compact aus.',
    );
    const named =
      'Jumpseat: rule 2 (all requests) names the account “Yes”, but there is no account of this name. Change the rule in Settings → Rules (models.rules in settings.json).';
    expect(await shown('de', named)).toBe(
      'Jumpseat: Regel 2 (alle Anfragen) nennt das Konto „Yes“, aber es gibt kein Konto dieses Namens. Ändern Sie die Regel unter „Einstellungen“ → „Regeln“ (models.rules in settings.json).',
    );
  });
});

it('says in German what a rule changed, and why a request was whose', async () => {
  const german = await loadLanguage('de');
  const note = {
    code: 'rule-fallback',
    count: 1,
    text: 'rule 1 (all requests): model claude-opus-4.6 → gpt-5-mini (its limit is reached)',
  };
  const { ofRules } = inLanguage(german, () => changesByOrigin([note]));
  expect(ofRules).toMatchObject([
    { before: 'claude-opus-4.6', after: 'gpt-5-mini', because: expect.stringContaining('das Limit ist erreicht') },
  ]);
  expect(ofRules[0]?.because).toContain('Regel 1 (alle Anfragen)');
  const reason = {
    code: 'auxiliary',
    rule: 'web-run',
    sentence: 'a search that the model called for',
  } as const;
  const facts = { reason, client: 'codex', requestClass: null, prompt: null, agentType: null };
  expect(inLanguage(german, () => why(facts))?.title).toBe('Eine Suche, die das Modell aufrief');
});

it('says in German what was changed to fit Copilot, whatever the note', async () => {
  const german = await loadLanguage('de');
  const shown = (code: string, text: string) =>
    inLanguage(german, () => changesByOrigin([{ code, count: 1, text }])).toFit.map(({ verb, field, because }) => [
      t(verb),
      field,
      because,
    ])[0];
  const inGerman = (code: string, text: string) => inLanguage(german, () => shown(code, text));
  expect(inGerman('recovered', 'effort refused; sent again without')).toEqual([
    ...['Entfernt', 'effort', 'Copilot hat es abgelehnt, deshalb wurde die Anfrage ohne es erneut gesendet.'],
  ]);
  expect(inGerman('batched', 'inputs sent in 3 requests')?.[2]).toBe(
    'Die Eingaben wurden in mehreren Anfragen gesendet.',
  );
  expect(inGerman('held', 'held for 5 minutes: paid overage')).toEqual([
    ...['Notiert', '5 Minuten zurückgehalten: kostenpflichtiger Mehrverbrauch', ''],
  ]);
  expect(inGerman('charge-parts-differ', 'The parts add up to 1,200.5 credits; Copilot billed 1,300.')?.[1]).toBe(
    'Die Teile ergeben 1.200,5 Credits; Copilot hat 1.300 abgerechnet.',
  );
  expect(inGerman('model-newest', 'Newest enabled Opus in your catalog.')?.[2]).toMatch(/Opus in Ihrem Katalog/);
});

it('says in German what a rule is for, in a note and in an error', async () => {
  const german = await loadLanguage('de');
  const text = 'rule 2 (client codex, class subagent): effort high → low';
  const { ofRules } = inLanguage(german, () => changesByOrigin([{ code: 'rule-effort', count: 1, text }]));
  expect(ofRules[0]?.because).toBe('Ihre Regel (Regel 2 (Client codex, Klasse subagent)).');
  expect(await shown('ja', 'rule 2 (client codex, class subagent)')).toContain('クライアント codex、クラス subagent');
  // Words of others that begin like one.
  expect(await shown('de', 'client closed')).toBe('client closed');
});

it('says in German why a request was sent again', async () => {
  const german = await loadLanguage('de');
  expect(
    inLanguage(german, () => [retryWords('network'), retryWords('refused-stop'), retryWords('of-tomorrow')]),
  ).toEqual([
    'über eine neue Verbindung erneut gesendet',
    'ohne das, was Copilot abgelehnt hat, erneut gesendet',
    'of-tomorrow',
  ]);
});
