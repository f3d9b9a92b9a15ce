import { describe, expect, it } from 'vitest';
import type { DeviceCode, SignInResult } from '../../../app/api/account.ts';
import type { App } from '../../../app/api/app.ts';
import type { Preferences } from '../../../app/api/settings.ts';
import type { AppState } from '../../../app/api/state.ts';
import { StartError } from '../../../app/api/state.ts';
import { NoModelsError } from '../../../app/clients/lines.ts';
import german from '../../../app/language/catalogs/de.json' with { type: 'json' };
import { chooseFrontLanguage } from '../../../app/language/front-language.ts';
import { type Act, type ActionDependencies, trayActions } from '../../../main/tray/actions.ts';
import { appState, asVscode, quota, signingIn, states, working } from '../app-state.ts';

interface Played {
  act: Act;
  /** What happened, in order. */
  done: string[];
  state: AppState;
}

/** The actions over an app of which only what a test names exists. */
function play(
  app: Partial<App>,
  options: { state?: AppState; agrees?: boolean; parts?: Partial<ActionDependencies> } = {},
): Played {
  const done: string[] = [];
  const played: Played = { done, state: options.state ?? appState(), act: async () => {} };
  played.act = trayActions({
    app: { state: () => played.state, trySecrets: async () => null, ...app } as App,
    log: { write: (_level, event, facts) => done.push(`log ${event} ${JSON.stringify(facts)}`) },
    github: () => new URL('https://tenant.ghe.com/'),
    openUrl: async (url) => void done.push(`open ${url}`),
    copy: (text) => void done.push(`copy ${text}`),
    copySecret: (text) => void done.push(`copy secret ${text}`),
    loginItem: { read: () => false, write: (on) => void done.push(`at login ${on}`) },
    commandLink: { set: async () => options.agrees ?? true },
    askCut: async ({ title, now }) => {
      done.push(`ask ${title} [${now}]`);
      return options.agrees === false ? 'later' : 'now';
    },
    ask: async ({ title, action }) => {
      done.push(`ask ${title} [${action}]`);
      return options.agrees ?? true;
    },
    askStorage: async () => null,
    tell: ({ text, remedy }) => void done.push(`tell ${text} ${remedy}`),
    notify: ({ title, body }) => done.push(`notify ${title} | ${body}`),
    showWindow: (place) => done.push(`window ${place ?? ''}`),
    openFolder: () => void done.push('folder'),
    setup: async () => void done.push('set up'),
    isSetup: () => true,
    undoSetup: async () => void done.push('undo'),
    restartToUpdate: () => void done.push('restart'),
    resumeLine: () => null,
    runningSessions: () => [],
    work: () => ({ sessions: [], requests: played.state.health.running }),
    sessionsRested: async () => {},
    turnsOffLater: () => {},
    quit: () => done.push('quit'),
    stay: () => done.push('stay'),
    ...options.parts,
  });
  return played;
}

const code: DeviceCode = { userCode: '8F43-6FCF', verificationUri: 'https://github.com/login/device', expiresAt: 0 };
const lines: App['lines'] = async (shell, what) => `${what} for ${shell}`;

describe('sign-in from the tray', () => {
  const ended = async (result: SignInResult, state = states.on): Promise<string[]> => {
    const played = play(
      {
        signIn: async (shown) => {
          shown?.(code);
          played.state = state;
          return result;
        },
      },
      { state: states['signed-out'] },
    );
    await played.act('sign-in');
    return played.done;
  };
  const shown = ['copy 8F43-6FCF', 'open https://github.com/login/device'];

  it.each<[SignInResult, AppState, string[]]>([
    [
      { kind: 'signed-in', login: 'alexr-dev' },
      states.on,
      ['notify Signed in as alexr-dev | Copilot Pro+. The proxy is on at 127.0.0.1:4180.'],
    ],
    [
      { kind: 'signed-in', login: 'alexr-dev' },
      states.off,
      ['notify Signed in as alexr-dev | Copilot Pro+. The proxy is off.'],
    ],
    [{ kind: 'signed-in', login: 'alexr-dev' }, states['no-access'], ['notify No Copilot subscription | Buy one.']],
    [
      { kind: 'denied' },
      states['signed-out'],
      ['notify You declined the sign-in on GitHub. | Its code can’t be used again. Try again to get a new code.'],
    ],
    [{ kind: 'expired' }, states['signed-out'], ['notify This code has expired. | Codes are good for 15 minutes.']],
    [
      { kind: 'failed', text: 'GitHub can’t be reached.', remedy: 'Check the network.' },
      states['signed-out'],
      ['notify GitHub can’t be reached. | Check the network.'],
    ],
    [{ kind: 'cancelled' }, states['signed-out'], []],
  ])(
    'the code is on the clipboard before the browser opens, and the end is told: %j',
    async (result, state, reported) => {
      expect((await ended(result, state)).toSorted()).toEqual([...shown, ...reported].toSorted());
      expect((await ended(result, state)).indexOf('copy 8F43-6FCF')).toBe(0);
    },
  );

  it('does not begin while one waits, wherever it began; its code can be copied and it can be ended', async () => {
    const { act, done } = play(
      { signIn: () => Promise.reject(new Error('began')), cancelSignIn: () => done.push('cancelled') },
      { state: appState({ account: signingIn }) },
    );
    await act('sign-in');
    await act('copy-code');
    await act('cancel-sign-in');
    expect(done).toEqual([...shown, 'cancelled']);
  });

  it('that waits for another account is copied by its id, and an account is switched to by its own', async () => {
    const account = {
      id: 'a1b2',
      name: 'Work',
      labels: [],
      isInUse: false,
      state: signingIn,
      admission: asVscode,
      quota: null,
    };
    const used: string[] = [];
    const { act, done } = play(
      { switchAccount: async (id) => void used.push(id) },
      { state: appState({ accounts: [account] }) },
    );
    await act('copy-code-a1b2');
    await act('copy-code-c3d4');
    expect(done).toEqual(shown);
    await act('use-account-a1b2');
    expect(used).toEqual(['a1b2']);
  });

  it('without a code there is nothing to copy', async () => {
    const { act, done } = play({});
    await act('copy-code');
    expect(done).toEqual([]);
  });
});

describe('sign-in without a place for the token', () => {
  const missing = { code: 'secrets-unavailable', text: 'No keychain service.', remedy: 'Start one.' };
  const locked = { code: 'secrets-locked', text: 'The keychain is locked.', remedy: 'Unlock it.' };
  const trying = async (
    problem: typeof missing,
    options: { answer?: 'memory' | 'file'; free?: boolean; storage?: AppState['secrets']['storage'] } = {},
  ) => {
    const { storage = 'keychain' } = options;
    const { act, done } = play(
      {
        trySecrets: async () => problem,
        preferences: () => ({ storageIsFree: options.free ?? true }) as Preferences,
        moveSecrets: async (to) => void done.push(`move to ${to}`),
        signIn: async () => {
          done.push('signed in');
          return { kind: 'cancelled' };
        },
      },
      {
        state: appState({
          account: { kind: 'signed-out' },
          secrets: { storage, problem, needsFile: storage === 'keychain' && problem === missing },
        }),
        parts: {
          askStorage: async ({ title, text, memory, file, cancel }) => {
            done.push(`ask ${title} | ${text} [${memory}] [${file}] [${cancel}]`);
            return options.answer ?? null;
          },
        },
      },
    );
    await act('sign-in');
    return done;
  };
  const choice =
    'ask No keychain service. | Stay signed in until you quit, or store the token in a file of mode 0600. ' +
    'Programs that run as your user can read that file.\n\nStart one. [Until I quit] [Store in a file] [Cancel]';

  it('asks where to keep it: until the end, or in a file', async () => {
    const answered = [await trying(missing, { answer: 'memory' }), await trying(missing, { answer: 'file' })];
    expect(answered).toEqual([
      [choice, 'move to memory', 'signed in'],
      [choice, 'move to file', 'signed in'],
    ]);
  });

  it('signs nobody in where the question is closed or cancelled', async () => {
    expect(await trying(missing)).toEqual([choice]);
  });

  it('tells what to do where there is nothing to choose', async () => {
    const reported = (await Promise.all([
      trying(locked),
      trying(missing, { free: false }),
      trying(missing, { storage: 'file' }),
    ])) satisfies string[][];
    expect(reported).toEqual([
      ['tell The keychain is locked. Unlock it.'],
      ['tell No keychain service. Start one.'],
      ['tell No keychain service. Start one.'],
    ]);
  });

  it('installs the command, and says so unless the person declined', async () => {
    const [agreed, declined] = [play({}), play({}, { agrees: false })];
    await Promise.all([agreed.act('install-command'), declined.act('install-command')]);
    expect([agreed.done, declined.done]).toEqual([
      ['notify The command jumpseat is installed | Run it in a new terminal.'],
      [],
    ]);
  });

  it('is no sign-in where the keychain was unlocked meanwhile and held a token', async () => {
    const played = play(
      {
        trySecrets: async () => {
          played.state = states.on;
          return null;
        },
        signIn: () => Promise.reject(new Error('began')),
      },
      { state: states['signed-out'] },
    );
    await played.act('sign-in');
    expect(played.done).toEqual([]);
  });
});

describe('open at login', () => {
  it.each([true, false])('is switched over, from %s', async (on) => {
    const { act, done } = play(
      {},
      { parts: { loginItem: { read: () => on, write: (to) => void done.push(`at login ${to}`) } } },
    );
    await act('open-at-login');
    expect(done).toEqual([`at login ${!on}`]);
  });
});

describe('sign-out asks', () => {
  const signOut = async (agrees: boolean) => {
    const { act, done } = play({ signOut: async () => void done.push('signed out') }, { agrees });
    await act('sign-out');
    return done;
  };
  it('signs out where the person says so, and else does nothing', async () => {
    const question = 'ask Sign out of GitHub? [Sign out]';
    expect(await signOut(true)).toEqual([question, 'signed out']);
    expect(await signOut(false)).toEqual([question]);
  });
});

describe('the proxy', () => {
  const off = async (running: number, agrees: boolean) => {
    const { act, done } = play(
      { setProxy: async (on, options) => void done.push(`${on ? 'on' : 'off'} ${options?.graceMs}`) },
      { state: appState({ health: { ...working, running } }), agrees },
    );
    await act('proxy-off');
    return done;
  };

  it('goes off at once where nothing runs; else it asks whether to wait', async () => {
    expect(await off(0, true)).toEqual(['off 0']);
    expect(await off(2, true)).toEqual(['ask 2 requests are running [Turn off now]', 'off 0']);
    expect(await off(1, false)).toEqual(['ask 1 request is running [Turn off now]', 'off 86400000']);
    const { act, done } = play(
      { setProxy: async () => void done.push('off') },
      { state: appState({ health: { ...working, running: 1 } }), parts: { askCut: async () => 'cancel' } },
    );
    await act('proxy-off');
    expect(done).toEqual([]);
  });

  it('goes off with a question about sessions at work, and waits until they rest', async () => {
    const off = async (agrees: boolean) => {
      const { act, done } = play(
        { setProxy: async (_on, options) => void done.push(`off ${options?.graceMs}`) },
        {
          agrees,
          parts: {
            work: () => ({
              sessions: [
                { agent: 'claude', state: 'running' },
                { agent: 'codex', state: 'running' },
              ],
              requests: 0,
            }),
            sessionsRested: async () => void done.push('rested'),
          },
        },
      );
      await act('proxy-off');
      return done;
    };
    const asked = 'ask 2 sessions are working [Turn off now]';
    expect(await off(true)).toEqual([asked, 'off 0']);
    expect(await off(false)).toEqual([asked, 'rested', 'off 86400000']);
  });

  it('that waits for work to be turned off says so, and stays on where that is taken back', async () => {
    const { act, done } = play(
      { setProxy: async () => void done.push('off') },
      {
        agrees: false,
        parts: {
          work: () => ({ sessions: [{ agent: 'claude', state: 'running' }], requests: 0 }),
          turnsOffLater: (isWaiting) => void done.push(isWaiting ? 'waits' : 'waits no more'),
          sessionsRested: () => new Promise(() => {}),
        },
      },
    );
    const turned = act('proxy-off');
    await expect.poll(() => done).toContain('waits');
    await act('stay-on');
    await turned;
    expect(done.slice(1)).toEqual(['waits', 'waits no more']);
  });

  it('on, the same port again, another port, and another try', async () => {
    const { act, done } = play({
      setProxy: async (on) => void done.push(`switch ${on}`),
      moveToFreePort: async () => void done.push('free port'),
      refresh: async () => void done.push('refresh'),
    });
    for (const action of ['proxy-on', 'retry-port', 'free-port', 'retry'] as const) await act(action);
    expect(done).toEqual(['switch true', 'switch true', 'free port', 'refresh']);
  });

  it('that does not start says so in the state, not in a dialog', async () => {
    const { act, done } = play({
      setProxy: () => Promise.reject(new StartError('port-taken', 'Port 4180 is in use by node (pid 1).', '')),
    });
    await act('proxy-on');
    expect(done).toEqual([
      'log tray.action-failed {"action":"proxy-on","reason":"Port 4180 is in use by node (pid 1)."}',
    ]);
  });
});

describe('lines for clients', () => {
  const hold = 'They hold your local key.';
  it.each([
    ['copy-bash', 'claude-code for bash', `Lines for Claude Code copied | Paste them into bash or zsh. ${hold}`],
    ['copy-fish', 'claude-code for fish', `Lines for Claude Code copied | Paste them into fish. ${hold}`],
    ['copy-cmd', 'claude-code for cmd', `Lines for Claude Code copied | Paste them into Command Prompt. ${hold}`],
    ['copy-json', 'claude-code for json', `Lines for Claude Code copied | Paste them into settings.json. ${hold}`],
    [
      'copy-openai-powershell',
      'openai for powershell',
      `Lines for OpenAI clients copied | Paste them into PowerShell. ${hold}`,
    ],
    ['copy-codex-bash', 'codex for bash', 'Key for Codex copied | Paste it into bash or zsh, then run codex there.'],
    [
      'copy-codex-config',
      'codex-config for bash',
      'Config for Codex copied | Paste it into ~/.codex/config.toml. Its key is copied apart from it.',
    ],
    [
      'copy-mcp-fish',
      'mcp for fish',
      'MCP server for Claude Code copied | Paste it into fish. It holds your local key.',
    ],
    [
      'copy-mcp-zed',
      'mcp-zed for bash',
      'MCP server for Zed copied | Paste it into Zed’s settings.json. It holds your local key.',
    ],
    ['copy-zed', 'zed for bash', 'Models for Zed copied | Paste them into Zed’s settings.json. No key is in them.'],
    ['copy-zed-key-fish', 'zed-key for fish', 'Key for Zed copied | Paste it into fish, then run zed there.'],
    [
      'copy-form',
      'form for bash',
      'Address and key copied | Paste them into the program’s settings. The key is your local key.',
    ],
    ['copy-vscode', 'vscode for bash', `Models for VS Code copied | Paste them into chatLanguageModels.json. ${hold}`],
  ] as const)('%s', async (action, copied, reported) => {
    const { act, done } = play({ lines });
    await act(action);
    expect(done).toEqual([`copy secret ${copied}`, `notify ${reported}`]);
  });

  it('copied for the window, the window says so itself', async () => {
    const { act, done } = play({ lines });
    await act('copy-fish', 'window');
    expect(done).toEqual(['copy secret claude-code for fish']);
  });

  it('that name models of which none are known are not copied: what to do is said', async () => {
    const { act, done } = play({ lines: () => Promise.reject(new NoModelsError()) });
    await act('copy-vscode');
    expect(done).toEqual([
      'log tray.action-failed {"action":"copy-vscode","reason":"The models of this account are not known now."}',
      'tell The models of this account are not known now. Sign in, or wait until Copilot can be reached, ' +
        'then copy again.',
    ]);
  });

  it('and says it in the language of the tray, while the log has English', async () => {
    await chooseFrontLanguage('de', []);
    try {
      const locked = { code: 'keychain-locked', text: 'The keychain is locked.', remedy: 'Unlock it.' } as const;
      const { act, done } = play({
        lines: () => Promise.reject(new NoModelsError()),
        trySecrets: async () => locked,
      });
      await act('copy-vscode');
      await act('sign-in');
      expect(done).toEqual([
        'log tray.action-failed {"action":"copy-vscode","reason":"The models of this account are not known now."}',
        `tell ${german['The models of this account are not known now.']} ` +
          german['Sign in, or wait until Copilot can be reached, then copy again.'],
        `tell ${german['The keychain is locked.']} Unlock it.`,
      ]);
    } finally {
      await chooseFrontLanguage('en', []);
    }
  });
});

describe('the way elsewhere', () => {
  it('opens the window, its places, the folder and GitHub’s pages', async () => {
    const { act, done } = play({}, { state: states['no-access'] });
    for (const action of ['open', 'settings', 'usage', 'billing', 'open-github', 'open-folder', 'quit'] as const)
      await act(action);
    expect(done).toEqual([
      'window ',
      'window #/settings',
      'window #/usage',
      'open https://tenant.ghe.com/settings/billing',
      'open https://github.com/settings/copilot',
      'folder',
      'quit',
    ]);
  });

  it('setup, undo and an update, which asks by itself what it would cut off', async () => {
    const { act, done } = play({}, { state: appState({ quota, health: { ...working, running: 1 } }) });
    for (const action of ['setup', 'undo-setup', 'update'] as const) await act(action);
    expect(done).toEqual(['set up', 'undo', 'restart']);
  });

  it('the line of a session is copied, and what it was told for is seen', async () => {
    const seen: string[] = [];
    const resumeLine = (id: string) => (id === 'a' ? "cd '/x' && claude --resume a" : null);
    let isSetup = true;
    const parts = { resumeLine, isSetup: () => isSetup };
    const { act, done } = play({ sawTerminal: (id) => void seen.push(id) }, { parts });
    await act('session-line-a');
    await act('session-line-gone');
    expect([done, seen]).toEqual([
      [
        "copy cd '/x' && claude --resume a",
        'notify Line copied | Paste it into a terminal: the session goes on there.',
      ],
      ['a'],
    ]);
    isSetup = false;
    await act('session-line-a');
    expect(done.at(-1)).toBe(
      'notify Line copied | Claude Code isn’t set up for Jumpseat. Paste the lines for Claude Code into the terminal first.',
    );
  });

  it('sessions: one of them, a new one', async () => {
    const { act, done } = play({ sawTerminal: () => {} });
    for (const action of ['session-open-4f0c 1', 'session-new'] as const) await act(action);
    expect(done).toEqual(['window #/sessions/4f0c%201', 'window #/sessions/new']);
  });

  it.each([
    [1, 'Stop 1 session?', 'Stop it'],
    [2, 'Stop 2 sessions?', 'Stop them'],
  ])('stops all that run, once a person said so: %i', async (count, title, action) => {
    const running = [{ id: 'a' }, { id: 'b' }].slice(0, count);
    const stopSession = async (id: string): Promise<void> => void played.done.push(`stop ${id}`);
    const parts = { runningSessions: () => running };
    const played = play({ stopSession }, { parts });
    await played.act('sessions-stop');
    expect(played.done).toEqual([`ask ${title} [${action}]`, ...running.map(({ id }) => `stop ${id}`)]);
    const kept = play({ stopSession }, { parts, agrees: false });
    await kept.act('sessions-stop');
    expect(kept.done).toEqual([`ask ${title} [${action}]`]);
  });

  it('stops none that has ended or begun while it was asked', async () => {
    let running = [{ id: 'a' }, { id: 'b' }];
    const done: string[] = [];
    const { act } = play(
      { stopSession: async (id) => void done.push(id) },
      {
        parts: {
          runningSessions: () => running,
          ask: async () => {
            running = [{ id: 'b' }, { id: 'c' }];
            return true;
          },
        },
      },
    );
    await act('sessions-stop');
    expect(done).toEqual(['b']);
  });
});

describe('an action', () => {
  it('under way is not begun again', async () => {
    let asked = 0;
    let answer = (_agrees: boolean) => {};
    const { act } = play(
      {},
      {
        parts: {
          ask: () => {
            asked += 1;
            return new Promise((resolve) => {
              answer = resolve;
            });
          },
        },
      },
    );
    const first = act('sign-out');
    await act('sign-out');
    expect(asked).toBe(1);
    answer(false);
    await first;
    void act('sign-out');
    expect(asked).toBe(2);
  });

  it('that fails is told with its remedy and logged; the window gets the error itself', async () => {
    const failure = Object.assign(new Error('~/.claude/settings.json isn’t valid JSON (line 14).'), {
      remedy: 'Mend the file.',
    });
    const { act, done } = play({}, { parts: { setup: () => Promise.reject(failure) } });
    await act('setup');
    expect(done).toEqual([
      `log tray.action-failed ${JSON.stringify({ action: 'setup', reason: failure.message })}`,
      'tell ~/.claude/settings.json isn’t valid JSON (line 14). Mend the file.',
    ]);
    await expect(act('setup', 'window')).rejects.toBe(failure);
  });
});
