import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CallName, calls } from '../../../app/api/calls.ts';
import { StartError } from '../../../app/api/state.ts';
import { callChannel } from '../../../preload/calls.ts';
import { appState } from '../app-state.ts';
import { sampleOf } from '../sample-of.ts';
import { CallDesk, fromOurPage } from '../window-calls.ts';

/** For each call of the tray app's window, arguments that make sense. */
const fine = Object.entries(calls)
  .filter(([, { from }]) => from !== 'dashboard')
  .map(([name, { given }]): [string, unknown[]] => [name, given.parse(sampleOf(given))]);
const names = fine.map(([name]) => name);
const badCall = (name: string) => ({
  ok: false,
  problem: { code: 'bad-call', text: `The window asked for “${name}” wrongly.`, remedy: 'Start Jumpseat again.' },
});

it('every call of the contract that its window may make has one channel, and there is no other', () => {
  expect(new CallDesk().channels).toEqual(names.map(callChannel));
});

it.each(fine)('%s is answered for our window', async (name, given) => {
  const desk = new CallDesk();
  expect(await desk.ask(name, given)).toMatchObject({ ok: true });
  expect(desk.done).toEqual([[name, ...given]]);
  expect(desk.log.lines).toEqual([]);
});

describe('a hostile sender', () => {
  const page = { url: 'app://bundle/index.html' };
  const frame = (url: string) => fromOurPage(url);
  it.each([
    ['another origin', frame('https://example.com/')],
    ['an origin that begins like ours', frame('app://bundle.example.com/')],
    ['another host of our scheme', frame('app://other/index.html')],
    ['a file', frame('file:///app/bundle/index.html')],
    ['an empty page', frame('about:blank')],
    ['a page made of data', frame('data:text/html,app://bundle')],
    ['a blob of ours', frame('blob:app://bundle/1')],
    ['no address', frame('')],
    ['a frame within our page', { senderFrame: { url: page.url }, sender: { mainFrame: page } }],
    ['a frame that is gone', { senderFrame: null, sender: { mainFrame: page } }],
  ])('%s gets no answer to anything', async (_title, event) => {
    const desk = new CallDesk();
    for (const [name, given] of fine) {
      expect(await desk.ask(name, given, event)).toEqual({
        ok: false,
        problem: {
          code: 'not-our-window',
          text: 'Only Jumpseat’s own window may ask that.',
          remedy: 'Open Jumpseat.',
        },
      });
    }
    expect(desk.done).toEqual([]);
    expect(desk.log.lines.map(({ level, event }) => [level, event])).toEqual(
      names.map(() => ['error', 'ipc.stranger']),
    );
  });
});

describe('a hostile payload', () => {
  it.each([
    ['exchanges', []],
    ['exchanges', [50]],
    ['exchanges', [{ limit: 0 }]],
    ['exchanges', [{ limit: 1001 }]],
    ['exchanges', [{ limit: 1.5 }]],
    ['exchanges', [{ limit: Number.NaN }]],
    ['exchanges', [{ limit: '50' }]],
    ['exchanges', [{ limit: 50, before: 'x'.repeat(101) }]],
    ['exchanges', [{ limit: 50, before: undefined }]],
    ['exchanges', [{ limit: 50, sql: '1; DROP TABLE exchanges' }]],
    ['exchanges', [{ limit: 50 }, 'more']],
    ['totals', ['session', 0]],
    ['totals', ['day', -1]],
    ['totals', ['day', Number.POSITIVE_INFINITY]],
    ['totals', ['__proto__', 0]],
    ['conversations', [{ since: 0, limit: 201, offset: 0 }]],
    ['conversations', [{ since: 0, limit: 20, offset: -1 }]],
    ['conversation', [{ since: 0, client: 'x' }]],
    ['setOverride', ['opus']],
    ['setOverride', ['x'.repeat(201), null]],
    ['setProxy', ['yes']],
    ['setProxy', [1]],
    ['setProxy', []],
    ['copyLines', ['tcsh', 'claude-code']],
    ['copyLines', ['bash', 'emacs']],
    ['changePreferences', [{ port: 80 }]],
    ['changePreferences', [{ port: 4180.5 }]],
    ['changePreferences', [{ historyDays: 0 }]],
    ['changePreferences', [{ bodies: { megabytes: 65, minutes: null } }]],
    ['recordedBody', ['4f0c', 'secrets', { whole: true }]],
    ['changePreferences', [{ modelOverrides: {} }]],
    ['changePreferences', [{ alwaysUser: true }]],
    ['changePreferences', [{ quotaThresholds: { warning: 95, alarm: 100 } }]],
    ['planSetup', ['delete']],
    ['moveSecrets', ['/etc/passwd']],
    ['openFolder', ['/']],
    ['openFolder', ['../../..']],
    ['copyLines', ['constructor', 'claude-code']],
    ['openOutside', ['https://github.com/'.padEnd(3000, 'x')]],
    ['openOutside', ['x'.repeat(50_000_000)]],
    ['openOutside', [new Map()]],
    ['openAddress', ['https://example.com/'.padEnd(9000, 'x')]],
    ['state', ['more']],
    ['signIn', [{ clientId: 'x' }]],
  ])('%s %#', async (name, given) => {
    const desk = new CallDesk();
    expect(await desk.ask(name, given)).toEqual(badCall(name));
    expect(desk.done).toEqual([]);
    expect(desk.log.lines).toEqual([{ level: 'warn', event: 'ipc.bad-call', facts: { call: name } }]);
  });

  it('what would poison the prototypes is refused or left behind', async () => {
    const desk = new CallDesk();
    const poisons = [
      JSON.parse('{"limit":5,"__proto__":{"polluted":true}}'),
      JSON.parse('{"limit":5,"constructor":{"prototype":{"polluted":true}}}'),
      { ...JSON.parse('{"limit":5}'), prototype: { polluted: true } },
    ];
    for (const poison of poisons) await desk.ask('exchanges', [poison]);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    for (const [, given] of desk.done) {
      expect(Object.entries(given ?? {})).toEqual([['limit', 5]]);
      expect(Object.getPrototypeOf(given)).toBe(Object.prototype);
    }
  });

  it('anything at all in place of the list of arguments', async () => {
    const desk = new CallDesk();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.anything({ withBigInt: true, withMap: true, withDate: true }),
        async (name, given) => {
          const known = calls[name as CallName].given.safeParse(given).success;
          const answer = await desk.ask(name, given);
          expect(answer.ok ? 'answered' : answer.problem?.code).toBe(known ? 'answered' : 'bad-call');
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('what goes back', () => {
  it('holds nothing that its schema does not know', async () => {
    const state = Object.assign(appState(), { githubToken: 'gho_secret' });
    const { value } = await new CallDesk({ state: () => state }).ask('state', []);
    expect(value).toEqual(appState());
  });

  it('a failure that was written for a person keeps its words and its remedy, without a secret', async () => {
    const failing = async () => {
      throw new StartError('port-taken', 'Port 4180 is in use by ?token=abcdef here.', 'Choose another.');
    };
    expect(await new CallDesk({ setProxy: failing }).ask('setProxy', [true])).toEqual({
      ok: false,
      problem: {
        code: 'port-taken',
        text: 'Port 4180 is in use by ?token=[redacted] here.',
        remedy: 'Choose another.',
      },
    });
  });

  it('any other failure is a fault: its text and stack stay in the log', async () => {
    const error = new TypeError('cannot read /home/me/secret');
    const desk = new CallDesk({
      refresh: () => {
        throw error;
      },
    });
    expect(await desk.ask('refresh', [])).toEqual({
      ok: false,
      problem: {
        code: 'fault',
        text: 'That failed because of a fault in Jumpseat.',
        remedy: 'Try again. The log file has the details.',
      },
    });
    expect(desk.log.lines).toEqual([{ level: 'error', event: 'ipc.call-failed', facts: { call: 'refresh', error } }]);
  });

  it('an answer of the wrong shape does not leave', async () => {
    const broken = Object.assign(appState(), { version: 7 });
    expect(await new CallDesk({ state: () => broken as never }).ask('state', [])).toMatchObject({
      ok: false,
      problem: { code: 'fault' },
    });
  });
});
