import { describe, expect, it } from 'vitest';
import type { TerminalSession } from '../../../app/api/session-list.ts';
import type { Session } from '../../../app/api/sessions.ts';
import type { AppState } from '../../../app/api/state.ts';
import type { AskedFor } from '../../../app/words/session-questions.ts';
import { banner } from '../../../app/words/status.ts';
import { dayAndTime, hourAndMinute } from '../../../app/words/times.ts';
import type { WatchedSession } from '../../../main/sessions/session-watch.ts';
import { readOfAccount, readOfSession, type TrayEntry, type TrayFacts } from '../../../main/tray/tray-entry.ts';
import { trayIcon } from '../../../main/tray/tray-icon.ts';
import { trayMenu } from '../../../main/tray/tray-menu.ts';
import {
  appState,
  asVscode,
  now,
  portTaken,
  quota,
  signedIn,
  signingIn,
  states,
  throughRuntime,
  working,
} from '../app-state.ts';
import { watched } from '../watched-sessions.ts';

const facts: TrayFacts = {
  ...{ now, running: 0, shell: 'bash', isSetup: false, openAtLogin: false, offersCommand: false, update: null },
  ...{ sessions: [], terminals: [], titlesOutside: false, quits: null, turnsOff: null, figure: null },
};

/** As a person sees it: lines that cannot be clicked in brackets, a submenu below its entry. */
function lines(state: AppState, more: Partial<TrayFacts> = {}): string[] {
  return trayMenu(state, { ...facts, running: state.health.running, ...more }).flatMap(shown);
}
function shown(entry: TrayEntry): string[] {
  if (entry === 'separator') return ['─'];
  if ('items' in entry) return [`${entry.label} ▸ ${entry.items.flatMap(shown).join(' | ')}`];
  const box = entry.checked === undefined ? '' : entry.checked ? '☑ ' : '☐ ';
  return [entry.action === null ? `(${entry.label})` : `${box}${entry.label}`];
}

const copy = 'Copy lines for Claude Code ▸ bash or zsh | fish | PowerShell | Command Prompt | settings.json';
const openai =
  'Copy lines for OpenAI clients ▸ bash or zsh | fish | PowerShell | Command Prompt | ─ | Codex: ' +
  'config.toml | Codex: key for bash or zsh | VS Code: chatLanguageModels.json';
const mcp = 'Copy MCP server ▸ Claude Code: command for bash or zsh | Codex: config.toml | Zed: settings.json';
const window = ['─', 'Open Jumpseat', 'Settings…', '☐ Open at login', '─'];
const rest = ['─', copy, 'Set up Claude Code…', openai, mcp, ...window, 'Sign out…', 'Quit Jumpseat'];
const throughVscode = rest.filter((line) => line !== 'Sign out…');
const windowAndQuit = [...window, 'Quit Jumpseat'];
const who = '(alexr-dev · Copilot Pro+)';
const sent = 'Sent as vscode/1.139.1 (vscode-chat)';
const credits = '(2,002 credits left · resets 1 Dec)';
const on = '(Proxy on · 127.0.0.1:4180)';

const menus: Record<keyof typeof states, string[]> = {
  on: [on, who, sent, credits, '─', 'Turn proxy off', ...rest],
  'no-keychain': [on, who, sent, credits, '(Signed in until you quit)', '─', 'Turn proxy off', ...rest],
  busy: ['(Proxy on · 2 requests running)', who, sent, credits, '─', 'Turn proxy off', ...rest],
  waiting: [on, who, sent, credits, '─', 'Turn proxy off', ...rest],
  low: [on, who, sent, '(698 of 7,000 credits left (10%))', '─', 'See usage', 'Turn proxy off', ...rest],
  budget: [
    on,
    who,
    sent,
    '(0 included credits left · +12.40 on your GitHub budget)',
    '─',
    'Open billing on GitHub',
    'Turn proxy off',
    ...rest,
  ],
  weekly: [on, who, sent, '(Weekly limit reached, resets in 2 d 23 h)', '─', 'See usage', 'Turn proxy off', ...rest],
  session: [on, who, sent, '(5-hour limit reached, resets in 4 h 21 min)', '─', 'See usage', 'Turn proxy off', ...rest],
  exhausted: [
    on,
    who,
    sent,
    '(Out of credits until 1 Dec, 01:00)',
    '─',
    'Open billing on GitHub',
    'Turn proxy off',
    ...rest,
  ],
  offline: [
    '(Proxy on · no connection to Copilot)',
    who,
    sent,
    credits,
    '─',
    'Try again now',
    'Turn proxy off',
    ...rest,
  ],
  off: ['(Proxy off)', who, sent, '─', 'Turn proxy on', ...rest],
  starting: ['(Starting…)', who, sent, '─', '(Starting…)', ...rest],
  stopping: ['(Stopping…)', who, sent, '─', '(Stopping…)', ...rest],
  port: ['(Proxy stopped · port 4180 in use)', who, sent, '─', 'Try port 4180 again', 'Use a free port', ...rest],
  'no-access': [
    '(Proxy on · no access to Copilot)',
    who,
    sent,
    '(No Copilot subscription)',
    '─',
    'Open on GitHub',
    'Turn proxy off',
    ...rest,
  ],
  'account-unknown': [
    '(Proxy on · nothing is sent)',
    who,
    sent,
    '(It isn’t known which account to use)',
    '─',
    'Choose the account…',
    'Open folder',
    'Turn proxy off',
    ...rest,
  ],
  'auto-only': [
    '(Proxy on · 127.0.0.1:4180)',
    '(alexr-dev · Copilot Student)',
    sent,
    '(Copilot Student has no model to choose)',
    '─',
    'See plans on GitHub',
    'Turn proxy off',
    ...rest,
  ],
  'no-window': [
    '(Proxy on · no window of VS Code)',
    'Sent through VS Code, always counted as user',
    '(Requests go through VS Code, and no window of VS Code serves them.)',
    '─',
    'Turn proxy off',
    ...throughVscode,
  ],
  'through-vscode': [on, 'Sent through VS Code, always counted as user', '─', 'Turn proxy off', ...throughVscode],
  'signed-out': [on, '(Signed out)', '─', 'Sign in to GitHub…', 'Turn proxy off', ...windowAndQuit],
  refused: [on, '(alexr-dev: GitHub refuses the sign-in)', sent, '─', 'Sign in to GitHub…', 'Turn proxy off', ...rest],
  'signing-in': [
    on,
    '(Code 8F43-6FCF · 14 min left)',
    '─',
    'Copy code and open GitHub',
    'Cancel sign-in',
    'Turn proxy off',
    ...windowAndQuit,
  ],
  fatal: ['(Jumpseat can’t read its settings)', '─', 'Open folder', 'Open Jumpseat', 'Quit Jumpseat'],
  premium: [on, who, sent, '(477 premium requests left · resets 1 Dec)', '─', 'Turn proxy off', ...rest],
};

describe('C22.2 the tray menu', () => {
  it.each(Object.entries(menus))('%s', (name, menu) => {
    expect(lines(states[name as keyof typeof states])).toEqual(menu);
  });

  it('C14.1 a limit is said with the time at which it is over, and no switch is hidden', () => {
    expect([lines(states.weekly)[3], lines(states.session)[3]]).toEqual([
      '(Weekly limit reached, resets in 2 d 23 h)',
      '(5-hour limit reached, resets in 4 h 21 min)',
    ]);
    // Before it is reached Copilot names what is used of it, and when it is over.
    const resetsAt = new Date(2026, 10, 20, 12, 0).toISOString();
    const session = { percentRemaining: 38, resetsAt, asOf: 0 };
    const weekly = { percentRemaining: 4, resetsAt: null, asOf: 0 };
    expect(lines({ ...states.on, usageWindows: { session, weekly } }).slice(3, 6)).toEqual([
      '(2,002 credits left · resets 1 Dec)',
      '(5-hour limit 62% used, resets in 1 h 21 min)',
      '(Weekly limit 96% used)',
    ]);
    expect(trayIcon(states.weekly, 0)).toEqual({
      name: 'tray-error',
      tooltip: 'Jumpseat: Copilot’s weekly limit reached',
    });
    expect(lines(states.weekly)).toContain('Turn proxy off');
  });

  it('begins with the figure that a person has pinned, and has what allows paid overage', () => {
    expect(lines(states.on, { figure: '2,002 credits left' }).slice(0, 2)).toEqual(['(2,002 credits left)', on]);
    const allow = (overage: AppState['health']['overage']) =>
      lines({ ...states.budget, health: { ...working, overage } }).includes('Allow paid overage for today');
    expect([allow('asks'), allow('refused'), allow('allowed'), allow(null)]).toEqual([true, true, false, false]);
    const allowed = { ...states.budget, health: { ...working, overage: 'allowed' as const } };
    expect(lines(allowed)).toContain('No longer allow paid overage');
  });

  it('says that a limit of the person’s own holds every prompt back', () => {
    const month = { from: 0, until: now + 1 };
    const limit = { setting: 'creditsPerMonth', scope: null, used: 9, most: 5, stops: true, month, said: 100 } as const;
    const state = appState({ ownLimits: [limit] });
    const words = `Your monthly limit is used up: requests are refused until ${dayAndTime(now + 1)}`;
    expect(lines(state)).toContain(`(${words})`);
    expect(trayIcon(state, 1)).toEqual({ name: 'tray-error', tooltip: 'Jumpseat: Your monthly limit is used up' });
    const ofDay = appState({ ownLimits: [{ ...limit, setting: 'creditsPerDay', month: null }] });
    expect(lines(ofDay)).toContain('(Your daily limit is used up: requests are refused until midnight)');
    const warns = appState({ ownLimits: [{ ...limit, stops: false }] });
    expect([lines(warns).join(), trayIcon(warns, 0).name]).toEqual([lines(states.on).join(), 'tray-on']);
  });

  it('says as whom requests go out on the other way', () => {
    expect(lines(appState({ admission: throughRuntime }))[2]).toBe(
      'Sent as copilot/1.0.85 (copilot-sdk), experimental',
    );
    expect(lines(appState({ admission: { ...throughRuntime, sentAs: null } })).join()).not.toContain('Sent as');
  });

  it('one request is told in the singular', () => {
    expect(lines(appState({ health: { ...working, running: 1 } }))[0]).toBe('(Proxy on · 1 request running)');
  });

  it('the person’s own shell comes first', () => {
    expect(lines(states.on, { shell: 'powershell' })).toContain(
      'Copy lines for Claude Code ▸ PowerShell | bash or zsh | fish | Command Prompt | settings.json',
    );
  });

  it('open at login: ticked where it is so, and not there where the sandbox decides', () => {
    expect(lines(states.on, { openAtLogin: true })).toContain('☑ Open at login');
    expect(lines(states.on, { offersCommand: true })).toContain('Install the command “jumpseat”');
    expect(lines(states.on, { openAtLogin: null }).join()).not.toContain('Open at login');
  });

  it('C22.3 ports and ids are written as they are', () => {
    const shownIn = (state: AppState) => [...lines(state), trayIcon(state, 0).tooltip].join();
    const proxy = { kind: 'on', port: 41800, baseUrl: 'http://127.0.0.1:41800' } as const;
    expect(shownIn(appState({ proxy, quota })).match(/\d*[.,]?418?.?0+/g)).toEqual(['41800', '41800']);
    expect(shownIn(states.port).match(/\d?.?418?.?0/g)).toEqual([' 4180', ' 4180', ' 4180']);
  });

  it('has an entry that undoes the setup once there is one', () => {
    expect(lines(states.on, { isSetup: true })).toContain('Undo Claude Code setup…');
    expect(lines(states.on, { isSetup: true })).not.toContain('Set up Claude Code…');
  });

  it('a new version stands before the end, signed in or not', () => {
    for (const state of [states.on, states['signed-out']]) {
      expect(lines(state, { update: '1.4.0' }).slice(-2)).toEqual(['Restart to update to 1.4.0', 'Quit Jumpseat']);
    }
  });

  it('the minutes of a code go down to none', () => {
    const at = (left: number) => lines(states['signing-in'], { now: now + 14 * 60_000 - 1_000 - left })[1];
    expect([at(60_001), at(60_000), at(1), at(0), at(-5_000)]).toEqual([
      '(Code 8F43-6FCF · 2 min left)',
      '(Code 8F43-6FCF · 1 min left)',
      '(Code 8F43-6FCF · 1 min left)',
      '(Code 8F43-6FCF · 0 min left)',
      '(Code 8F43-6FCF · 0 min left)',
    ]);
  });

  it('no port and no sign-in: both can be fixed', () => {
    expect(lines(appState({ proxy: portTaken, account: { kind: 'signed-out' } }))).toEqual([
      '(Proxy stopped · port 4180 in use)',
      '(Signed out)',
      '─',
      'Try port 4180 again',
      'Use a free port',
      'Sign in to GitHub…',
      ...windowAndQuit,
    ]);
    expect(lines(appState({ proxy: portTaken, account: signingIn })).slice(3, 7)).toEqual([
      'Try port 4180 again',
      'Use a free port',
      'Copy code and open GitHub',
      'Cancel sign-in',
    ]);
  });

  it.each([
    ['already-running', '(Proxy stopped · Jumpseat runs elsewhere)', ['Try port 4180 again']],
    ['home-unusable', '(Proxy stopped · its folder can’t be written)', ['Try again']],
    ['disk-full', '(Proxy stopped · the disk is full)', ['Try again']],
    ['port-refused', '(Proxy stopped · port 4180 can’t be used)', ['Try port 4180 again', 'Use a free port']],
    ['policy', '(Proxy stopped · your organization’s policy can’t be used)', []],
  ] as const)('another port helps only where the port is the trouble: %s', (code, status, actions) => {
    const menu = lines(appState({ proxy: { kind: 'failed', port: 4180, code, reason: '', remedy: '' } }));
    expect([menu[0], menu.slice(4, 4 + actions.length), menu[4 + actions.length]]).toEqual([status, actions, '─']);
  });

  it('says what the proxy waits for to be turned off, with the way back in place of its switch', () => {
    const turnsOff = { sessions: [{ agent: 'claude', state: 'running' }], requests: 0 } as const;
    const labels = trayMenu(states.on, { ...facts, turnsOff }).flatMap((one) =>
      one === 'separator' ? [] : [one.label],
    );
    expect(labels).toContain('Turns the proxy off when 1 session is done');
    expect(labels).toContain('Don’t turn it off');
    expect(labels).not.toContain('Turn proxy off');
  });

  it('has no entry for a page at GitHub where a notice names none', () => {
    const notice = { id: 'blocked', title: 'Blocked', message: '', url: null };
    expect(lines(appState({ account: { ...signedIn, notice } }))).not.toContain('Open on GitHub');
  });

  it('of several accounts the one in use is ticked, signed in or not; a single one is not shown', () => {
    const own = (id: string, name: string, state: AppState['account'], isInUse: boolean) => {
      return { id, name, labels: [], isInUse, state, admission: asVscode, quota: null };
    };
    const accounts = [
      own('first', 'alexr-dev', signedIn, false),
      own('a1b2', 'Work', signingIn, true),
      own('c3d4', 'Third', { kind: 'signed-out' }, false),
    ];
    const entry = 'Account in use ▸ ☐ alexr-dev | ☑ Work | ☐ Third (signed out)';
    expect(lines(appState({ accounts })).slice(0, 4)).toEqual([on, '(Work: alexr-dev · Copilot Pro+)', entry, sent]);
    const out = [own('first', 'octo-demo', signedIn, false), own('a1b2', 'Work', { kind: 'signed-out' }, true)];
    const state = appState({ accounts: out, account: { kind: 'signed-out' } });
    expect(lines(state).slice(0, 6)).toEqual([
      on,
      '(Work isn’t signed in)',
      'Account in use ▸ ☐ octo-demo | ☑ Work (signed out)',
      '─',
      'Use octo-demo, which is signed in',
      'Sign in to GitHub…',
    ]);
    expect(trayIcon(state, 0).tooltip).toBe('Jumpseat: Work isn’t signed in');
    expect(banner(state, now)).toMatchObject({
      title: 'The account “Work” isn’t signed in.',
      text: 'Claude Code gets error 401 until you sign in, or use octo-demo, which is signed in.',
      actions: [{ label: 'Sign in' }, { label: 'Choose account' }],
    });
    expect(lines(appState({ accounts: accounts.slice(0, 1) })).join()).not.toContain('Account in use');
    const read = ['use-account-a1b2', 'copy-code-first', 'copy-code', 'quit'] as const;
    expect(read.map(readOfAccount)).toEqual([
      { does: 'use-account', id: 'a1b2' },
      { does: 'copy-code', id: 'first' },
      null,
      null,
    ]);
  });

  describe('sessions', () => {
    const parcel = watched('p', { cwd: '/home/me/code/parcel-api', state: 'running', title: 'Move all dates to UTC' });
    const started = (one: WatchedSession, ms: number): WatchedSession => ({
      ...{ ...one, turn: { id: 't', startedAt: now - ms, ended: null, cost: null } },
    });
    const aQuestion = { what: 'answer', name: '' } as const;
    const asks = (id: string, change: Partial<Session>, about: AskedFor, askedAt = now): WatchedSession => ({
      ...watched(id, { ...change, state: 'waiting', questions: 1 }),
      questions: [{ id: `${id}?`, about, askedAt, command: null }],
    });
    const command = asks(
      'a',
      { cwd: parcel.session.cwd, title: 'Move all dates to UTC' },
      { what: 'command', name: '' },
      now - 5,
    );
    const form = asks('b', { cwd: '/home/me/website' }, aQuestion, now - 4);

    it('who waits stands in the menu itself, all others that ask for a look below it', () => {
      const sessions = [
        watched('done', { cwd: '/x/parcel-api', outcome: 'done', endedAt: now - 1, seenAt: now - 2 }),
        watched('seen', { outcome: 'done', endedAt: now - 2, seenAt: now - 1 }),
        watched('failed', {
          ...{ cwd: '/x/website', outcome: 'failed', endedAt: now - 1 },
          problem: { code: 'agent-ended', text: '', remedy: '', requestId: null, stderr: null },
        }),
        started(parcel, 112_900),
        started(watched('d', { cwd: '/home/me/dotfiles', state: 'running', sentAt: 7 }), 290_000),
        form,
        command,
        watched('rest', { state: 'idle' }),
      ];
      expect(lines(states.waiting, { sessions }).slice(4, 10)).toEqual([
        '─',
        'parcel-api asks to run a command',
        'website asks a question',
        'Sessions ▸ New session… | ─ | ' +
          'dotfiles · running, 4 m 50 s | parcel-api · running, 1 m 53 s | ' +
          'website · stopped: Claude Code ended | parcel-api · done, not seen yet | ─ | ' +
          'Copy the line for a terminal ▸ parcel-api | website | Stop all running…',
        '─',
        'Turn proxy off',
      ]);
    });

    it('those that run change nothing but the lines below it; those at rest nothing at all', () => {
      expect(lines(states.on, { sessions: [parcel] }).slice(4, 8)).toEqual([
        '─',
        'Sessions ▸ New session… | ─ | parcel-api · running | ─ | Stop all running…',
        '─',
        'Turn proxy off',
      ]);
      const done = watched('d', { outcome: 'done', endedAt: 1, seenAt: null });
      expect(lines(states.on, { sessions: [done] })[5]).toBe(
        'Sessions ▸ New session… | ─ | project · done, not seen yet | ─ | Copy the line for a terminal ▸ project',
      );
      expect(lines(states.on, { sessions: [watched('r', { state: 'idle' })] })).toEqual(menus.on);
      // Two of one folder are told apart.
      const times = [now - 7_200_000, now - 60_000].map((endedAt) => hourAndMinute(endedAt));
      const two = [now - 7_200_000, now - 60_000].map((endedAt, at) =>
        watched(`d${at}`, { outcome: 'done', sentAt: endedAt - 1, endedAt, seenAt: null }),
      );
      expect(lines(states.on, { sessions: two })[5]).toBe(
        `Sessions ▸ New session… | ─ | project · done, not seen yet · ${times[1]} | ` +
          `project · done, not seen yet · ${times[0]} | ─ | ` +
          `Copy the line for a terminal ▸ project · ${times[1]} | project · ${times[0]}`,
      );
      expect(lines(states.fatal, { sessions: [command] })).toEqual(menus.fatal);
    });

    it('at most 3 of them and 12 lines, who has waited longest first', () => {
      const sessions = Array.from({ length: 20 }, (_, at) => asks(`s${at}`, { cwd: `/p${at}` }, aQuestion, -at));
      const menu = trayMenu(states.waiting, { ...facts, sessions });
      const rows = menu.flatMap((one) => (one !== 'separator' && one.id.startsWith('waiting-') ? [one.label] : []));
      expect(rows).toEqual(['p19 asks a question', 'p18 asks a question', 'p17 asks a question']);
      const below = menu.find((one) => one !== 'separator' && one.id === 'sessions');
      const ids = below !== undefined && below !== 'separator' && 'items' in below ? below.items : [];
      expect(ids.filter((one) => one !== 'separator' && one.id.startsWith('session-s'))).toHaveLength(12);
    });

    it('titles are shown only where the person wants that, and what a name holds turns nothing around', () => {
      const menu = (one: WatchedSession, titlesOutside: boolean) =>
        lines(states.waiting, { sessions: [one], titlesOutside });
      expect(menu(command, true).slice(5, 7)).toEqual([
        'parcel-api · Move all dates to UTC · asks to run a command',
        'Sessions ▸ New session…',
      ]);
      expect(menu(command, false).join()).not.toContain('UTC');
      const strange = asks('x', { cwd: '/home/me/a\u202eb\nc', title: 'one\ntwo\u2066' }, aQuestion);
      expect(menu(strange, true)[5]).toBe('ab c · one two · asks a question');
      const long = asks('y', { cwd: `/${'f'.repeat(90)}`, title: 't'.repeat(200) }, aQuestion);
      expect(menu(long, true)[5]?.length).toBeLessThan(125);
      expect(menu(asks('z', { cwd: '/' }, aQuestion), false)[5]).toBe('Session asks a question');
    });

    it.each<[Partial<Session>, string]>([
      [{ state: 'starting' }, 'starting'],
      [{ state: 'in-line' }, 'in line'],
      [{ state: 'stopping' }, 'stopping'],
      [{ state: 'idle', tasks: [{ id: 't', kind: 'command', title: 'npm run dev' }] }, 'waiting for a background task'],
    ])('%j', (change, words) => {
      expect(lines(states.on, { sessions: [watched('s', change)] })[5]).toContain(`| project · ${words}`);
    });

    it.each([
      ['not-started', 'Claude Code couldn’t start'],
      ['refused', 'Copilot refused a request'],
      ['no-connection', 'no connection to Copilot'],
      ['context-full', 'the conversation no longer fits'],
      ['limit', 'it reached your limit of credits'],
      ['token-limit', 'the answer reached its token limit'],
      ['stopped-early', 'a limit of the agent’s own'],
      ['another', 'its turn failed'],
    ])('stopped for %s', (code, words) => {
      const problem = { code, text: 'rm -rf ~', remedy: '', requestId: null, stderr: '' };
      const sessions = [watched('s', { outcome: 'failed', endedAt: 1, problem })];
      expect(lines(states.on, { sessions })[5]).toBe(
        `Sessions ▸ New session… | ─ | project · stopped: ${words} | ─ | Copy the line for a terminal ▸ project`,
      );
    });

    describe('of terminals', () => {
      const there = (
        id: string,
        is: TerminalSession['is'],
        change: Partial<TerminalSession> = {},
      ): TerminalSession => ({
        ...{ id, agentId: `${id}-claude`, cwd: `/home/me/${id}`, title: null, is, at: now - 3, ...change },
      });

      it('stand among ours, each once, and those that have ended can be gone on with', () => {
        const terminals = [
          there('website', 'waits'),
          there('docs', 'done'),
          there('parcel-api', 'ended', { at: now - 9 }),
          there('dotfiles', 'cut'),
        ];
        expect(lines(states.waiting, { sessions: [command], terminals }).slice(5, 8)).toEqual([
          'parcel-api asks to run a command',
          'website waits in a terminal',
          'Sessions ▸ New session… | ─ | dotfiles · its terminal ended in the middle of a turn | ' +
            'docs · done in a terminal | parcel-api · its terminal ended | ─ | ' +
            'Copy the line for a terminal ▸ dotfiles | parcel-api',
        ]);
      });

      it('one of ours that went on there is shown as it is there', () => {
        const ours = watched('s', { cwd: '/x/project', outcome: 'done', endedAt: 1, seenAt: null });
        const shown = lines(states.on, { sessions: [ours], terminals: [there('s', 'done', { cwd: '/x/project' })] });
        expect(shown[5]).toBe('Sessions ▸ New session… | ─ | project · done in a terminal');
      });

      it('have a title only where the person wants that', () => {
        const terminals = [there('website', 'waits', { title: 'New colors' })];
        expect(lines(states.waiting, { terminals, titlesOutside: true })[5]).toBe(
          'website · New colors · waits in a terminal',
        );
        expect(lines(states.waiting, { terminals }).join()).not.toContain('colors');
      });
    });

    it('says whose a click on a line is', () => {
      const read = ['session-open-4f0c', 'session-line-a-b', 'session-new', 'sessions-stop', 'open'] as const;
      expect(read.map(readOfSession)).toEqual([
        { does: 'session-open', id: '4f0c' },
        { does: 'session-line', id: 'a-b' },
        ...[null, null, null],
      ]);
      const menu = trayMenu(states.waiting, { ...facts, sessions: [command] });
      expect(menu[5]).toEqual({
        ...{ id: 'waiting-a', label: 'parcel-api asks to run a command', action: 'session-open-a' },
      });
    });
  });

  it('a sign-in without a name still says that there is one', () => {
    expect(lines(appState({ account: { ...signedIn, login: null, plan: null } }))[1]).toBe('(Signed in)');
  });

  it('ids are those that tests and scripts hold on to, each once', () => {
    const ids = (entries: readonly TrayEntry[]): string[] =>
      entries.flatMap((entry) =>
        entry === 'separator' ? [] : [entry.id, ...('items' in entry ? ids(entry.items) : [])],
      );
    const known = new Set(
      (
        'status account choose-account sent-as window quota limit-0 storage toggle retry free-port usage billing open-github plans open-folder copy ' +
        'copy-bash copy-fish copy-powershell copy-cmd copy-json setup undo-setup copy-openai ' +
        'copy-openai-bash copy-openai-fish copy-openai-powershell copy-openai-cmd copy-codex-config ' +
        'copy-codex copy-vscode copy-mcp copy-mcp-own copy-mcp-codex copy-mcp-zed sign-in copy-code cancel-sign-in open settings open-at-login update ' +
        'sign-out quit sessions session-new sessions-stop session-r session-d session-line line-d waiting-s'
      ).split(' '),
    );
    const seen = new Set<string>();
    for (const state of Object.values(states)) {
      for (const isSetup of [true, false]) {
        const done = watched('d', { outcome: 'done', endedAt: 1, seenAt: null });
        const sessions = [watched('s', { state: 'waiting' }), watched('r', { state: 'running' }), done];
        const found = ids(trayMenu(state, { ...facts, isSetup, update: '1.4.0', sessions }));
        expect(new Set(found).size).toBe(found.length);
        for (const id of found) seen.add(id);
      }
    }
    expect([...seen].sort()).toEqual([...known].sort());
  });
});

it('memory that was wanted is said in the menu all the same, in words that warn of nothing', () => {
  const secrets = { storage: 'memory', problem: null, needsFile: false } as const;
  const wanted = { ...states.on, secrets };
  expect([wanted.status, states.on.status]).toEqual(['on', 'on']);
  expect(lines(wanted)).toContain('(Signed in until you quit)');
  expect(lines(states.on)).not.toContain('(Signed in until you quit)');
});
