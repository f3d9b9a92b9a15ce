import { afterEach, describe, expect, it } from 'vitest';
import { chooseFrontLanguage, inFrontLanguage } from '../../app/language/front-language.ts';
import { t } from '../../app/language/translate.ts';
import { linesCopiedNotice, noTrayNotice, signInNotice } from '../../main/notices/answer-notices.ts';
import { noticesFor, quotaNotice } from '../../main/notices/state-notices.ts';
import { cutQuestion, stopQuestion } from '../../main/questions.ts';
import type { TrayEntry, TrayFacts } from '../../main/tray/tray-entry.ts';
import { PinnedFigure, trayIcon } from '../../main/tray/tray-icon.ts';
import { trayMenu } from '../../main/tray/tray-menu.ts';
import { appState, now, quota, states } from './app-state.ts';
import { watched } from './watched-sessions.ts';

afterEach(() => chooseFrontLanguage('en', []));

const shown = () => inFrontLanguage(() => t('Cancel'));
const work = { sessions: [{ agent: 'claude', state: 'waiting' }], requests: 2 } as const;
const facts: TrayFacts = {
  ...{ now, running: 0, shell: 'bash', isSetup: true, openAtLogin: true, offersCommand: true, update: '1.4.0' },
  ...{ titlesOutside: false, quits: work, turnsOff: work, figure: null, terminals: [] },
  sessions: [
    {
      ...watched('a', { cwd: '/home/me/parcel-api', state: 'waiting', questions: 1 }),
      questions: [{ id: 'q', about: { what: 'command', name: '' }, askedAt: now, command: null }],
    },
  ],
};

describe('the language of the tray app', () => {
  it('is the one of the settings, or the first of the system’s that there is; the process itself stays in English', async () => {
    expect(await chooseFrontLanguage('de', ['ja'])).toBe(true);
    expect([shown(), t('Cancel')]).toEqual(['Abbrechen', 'Cancel']);
    expect(await chooseFrontLanguage('de', [])).toBe(false);
    expect(await chooseFrontLanguage('system', ['tlh', 'ja-JP', 'de'])).toBe(true);
    expect(shown()).toBe('キャンセル');
    await chooseFrontLanguage('system', ['fr-FR']);
    expect(shown()).toBe('Cancel');
  });

  it('is the last one chosen, also where an earlier one is read later', async () => {
    const [german, english] = [chooseFrontLanguage('de', []), chooseFrontLanguage('en', [])];
    expect(await Promise.all([german, english])).toEqual([false, false]);
    expect(shown()).toBe('Cancel');
    expect(await chooseFrontLanguage('de', [])).toBe(true);
  });
});

describe('in German', () => {
  it('the menu and the tooltip', async () => {
    await chooseFrontLanguage('de', []);
    const menu = inFrontLanguage(() => trayMenu(states.busy, { ...facts, running: 2 }));
    expect(menu.flatMap(labels)).toEqual([
      ...['Proxy ein · 2 Anfragen laufen', 'alexr-dev · Copilot Pro+', 'Gesendet als vscode/1.139.1 (vscode-chat)'],
      ...['2.002 Credits übrig · neu am 1. Dez.', 'parcel-api möchte einen Befehl ausführen', 'Sitzungen'],
      'Neue Sitzung…',
      ...['Schaltet den Proxy aus, wenn 1 Sitzung und 2 Anfragen fertig sind (1 wartet auf Sie)', 'Nicht ausschalten'],
      ...['Zeilen für Claude Code kopieren', 'bash oder zsh', 'fish', 'PowerShell', 'Eingabeaufforderung'],
      ...['settings.json', 'Einrichtung von Claude Code rückgängig machen…', 'Zeilen für OpenAI-Clients kopieren'],
      ...['bash oder zsh', 'fish', 'PowerShell', 'Eingabeaufforderung', 'Codex: config.toml'],
      ...['Codex: Schlüssel für bash oder zsh', 'VS Code: chatLanguageModels.json', 'MCP-Server kopieren'],
      ...['Claude Code: Befehl für bash oder zsh', 'Codex: config.toml', 'Zed: settings.json', 'Jumpseat öffnen'],
      ...['Einstellungen…', 'Bei der Anmeldung öffnen', 'Befehl „jumpseat“ installieren', 'Abmelden…'],
      ...['Neu starten, um auf 1.4.0 zu aktualisieren'],
      ...['Wird beendet, wenn 1 Sitzung und 2 Anfragen fertig sind (1 wartet auf Sie)', 'Nicht beenden'],
      'Jumpseat beenden',
    ]);
    expect(inFrontLanguage(() => trayIcon(states.low, 0)).tooltip).toBe('Jumpseat: 698 von 7.000 Credits übrig');
  });

  it('the pinned figure', async () => {
    const figure = new PinnedFigure({
      app: { costOfToday: async () => ({ nanoAiu: 0, premiumRequests: 0, isPartlyUnknown: false }) },
      ...{ chosen: () => 'left', changed: () => undefined },
    });
    expect(figure.words(states.on)).toBe('2,002 credits left');
    await chooseFrontLanguage('de', []);
    expect(figure.words(states.on)).toBe('2.002 Credits übrig');
  });

  it('notices and questions, with the causes that they have in English', async () => {
    const limited = appState({
      ownLimits: [
        {
          ...{ setting: 'creditsPerMonth', scope: null, used: 50, most: 100, stops: false, said: 50 },
          month: { from: 0, until: now },
        },
      ],
    });
    const [inEnglish] = noticesFor(states.on, limited, now);
    await chooseFrontLanguage('de', []);
    const [notice] = noticesFor(states.on, limited, now);
    expect([inEnglish?.title, notice?.title]).toEqual([
      '50% of your monthly limit is used',
      expect.stringContaining('Monatslimit'),
    ]);
    expect(notice?.cause).toBe(inEnglish?.cause);
    expect(noticesFor(states.on, states.weekly, now).map(({ title }) => title)).toEqual([
      'Sie haben Copilots Wochenlimit erreicht',
    ]);
    expect(quotaNotice(appState({ quota: { ...quota, percentRemaining: 10 } }), null)?.notice.title).toBe(
      '10\u00a0% Ihrer Credits sind übrig',
    );
    expect(linesCopiedNotice('openai', 'cmd').body).toBe(
      'Fügen Sie sie in Eingabeaufforderung ein. Sie enthalten Ihren lokalen Schlüssel.',
    );
    expect(noTrayNotice().title).toBe('Dieser Desktop zeigt keinen Tray');
    expect(stopQuestion(1)).toEqual({ title: '1 Sitzung stoppen?', text: '', safe: 'Abbrechen', action: 'Stoppen' });
    expect(cutQuestion(work, 'quit', true)?.title).toBe(
      'Jumpseat wird beendet, wenn 1 Sitzung und 2 Anfragen fertig sind (1 wartet auf Sie)',
    );
  });

  it('what the app said in English: why the proxy stopped, why a sign-in failed', async () => {
    await chooseFrontLanguage('de', []);
    const reason = 'Port 4180 is in use by node (pid 51877), which isn’t this Jumpseat.';
    const stopped = appState({ proxy: { kind: 'failed', code: 'port-taken', port: 4180, remedy: '', reason } });
    expect(noticesFor(states.on, stopped, now).map(({ body }) => body)).toEqual([
      'Port 4180 wird von node (PID 51877) verwendet; das ist nicht dieses Jumpseat.',
    ]);
    const failed = { kind: 'failed', text: 'The keychain is locked.', remedy: 'Try again.' } as const;
    expect(signInNotice(failed, states.on)).toMatchObject({
      title: 'Der Schlüsselbund ist gesperrt.',
      body: 'Versuchen Sie es erneut.',
    });
  });
});

function labels(entry: TrayEntry): string[] {
  if (entry === 'separator') return [];
  return [entry.label, ...('items' in entry ? entry.items.flatMap(labels) : [])];
}
