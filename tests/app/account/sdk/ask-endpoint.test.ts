import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askAuto, askEndpoint } from '../../../../app/account/sdk/ask-endpoint.ts';
import { defaultLimits } from '../../../../app/account/sdk/ask-runtime.ts';
import type { RuntimeCredential } from '../../../../app/account/sdk/endpoint.ts';
import { longestEndMs } from '../../../../app/account/sdk/runtime-process.ts';
import { nodeClock } from '../../../../app/adapters/clock.ts';
import { until } from '../../../soon.ts';
import { temporaryFolder } from '../../adapters/folder.ts';
import type { Play } from './fake-runtime.ts';
import { isAlive, patientLimits, played } from './played.ts';

const token = 'gho_canaryOfTheTest000000000000000001';
const ofGithub = { kind: 'token', token, host: null } as const;
const ofCompany = { kind: 'token', token, host: 'octo.ghe.com' } as const;

async function ask(
  play: Omit<Play, 'notes'> = {},
  credential: RuntimeCredential = ofGithub,
  more: Parameters<typeof played>[1] = {},
) {
  const place = played(play, more);
  const answer = await askEndpoint(place.dependencies, { runtimePath: place.runtimePath, credential });
  return { ...place, answer };
}

describe('an endpoint', () => {
  it('comes as the runtime gave it, with the account, and nothing stays behind', async () => {
    const { answer, notes, left } = await ask();
    const authorization = `Bearer ${token}`;
    expect(answer).toEqual({
      ok: true,
      endpoint: {
        baseUrl: new URL('https://api.individual.githubcopilot.com'),
        headers: expect.objectContaining({ Authorization: authorization, 'Editor-Version': 'copilot/1.0.85' }),
        runtimeVersion: '1.0.85',
        host: 'github.com',
        login: 'octo-one',
        plan: 'individual_pro',
        user: { login: 'octo-one', copilot_plan: 'individual_pro', access_type_sku: 'plus_monthly' },
      },
    });
    expect(answer.ok && Object.keys(answer.endpoint.headers)).toHaveLength(11);
    expect(isAlive(notes().pid)).toBe(false);
    expect(left()).toEqual({});
  });

  it('is asked without a model, of a session that does nothing by itself', async () => {
    const { notes } = await ask();
    expect(notes().argv).toEqual([
      '--headless',
      '--no-auto-update',
      '--log-level',
      'none',
      '--stdio',
      '--no-auto-login',
    ]);
    const calls = Object.fromEntries(notes().calls.map(({ method, params }) => [method, params]));
    expect(Object.keys(calls)).toEqual([
      'connect',
      'session.create',
      'session.gitHubAuth.getStatus',
      'session.provider.getEndpoint',
      'session.gitHubAuth.getCurrentAuthInfo',
      'runtime.shutdown',
    ]);
    expect(calls['session.create']).toMatchObject({
      gitHubToken: token,
      availableTools: [],
      enableSessionTelemetry: false,
      enableConfigDiscovery: false,
    });
    expect(calls['session.create']).not.toHaveProperty('model');
    expect(calls['session.provider.getEndpoint']).toEqual({ sessionId: expect.any(String) });
  });

  it('is not asked of a port: the token goes over the pipe alone, in no argument, variable or file', async () => {
    const { notes, left } = await ask({ at: 'session.provider.getEndpoint', does: 'die' });
    const { argv, env, cwd } = notes();
    expect(JSON.stringify([argv, env, cwd])).not.toContain('canary');
    expect(argv).toContain('--stdio');
    expect(JSON.stringify(left())).not.toContain('canary');
  });

  it('is found in between what else the runtime says, and its own questions are refused', async () => {
    const { answer, notes } = await ask({ chatty: true });
    expect(answer.ok).toBe(true);
    expect(notes().answers[0]).toMatchObject({ id: 'q-1', error: { code: -32601 } });
  });

  it('does without the account’s details where the runtime keeps them', async () => {
    const gives = { code: -32601, message: 'Unhandled method session.gitHubAuth.getCurrentAuthInfo' };
    const { answer } = await ask({ at: 'session.gitHubAuth.getCurrentAuthInfo', does: 'error', gives });
    expect(answer).toMatchObject({ ok: true, endpoint: { user: null, login: 'octo-one' } });
  });

  it('comes although the runtime does not go: it is ended', async () => {
    const { answer, notes } = await ask({ stubborn: true });
    expect(answer.ok).toBe(true);
    expect(isAlive(notes().pid)).toBe(false);
  });

  it('of a company’s host is asked with its token after the session was made, which 1.0.85 shows to github.com', async () => {
    const { answer, notes } = await ask({}, ofCompany);
    expect(answer).toMatchObject({ ok: true, endpoint: { host: 'octo.ghe.com' } });
    const { calls, env } = notes();
    const before = calls.slice(0, 2);
    expect(JSON.stringify(before)).not.toContain('canary');
    expect(calls[2]).toMatchObject({
      method: 'session.gitHubAuth.setCredentials',
      params: { credentials: { type: 'token', host: 'https://octo.ghe.com', token } },
    });
    expect(env.COPILOT_GH_HOST).toBe('octo.ghe.com');
  });

  it('of a stored sign-in is asked in its COPILOT_HOME, with its keychain, and leaves no session there', async () => {
    const copilotHome = temporaryFolder();
    const { answer, notes } = await ask({}, { kind: 'stored-sign-in', copilotHome });
    expect(answer).toMatchObject({ ok: true, endpoint: { headers: { Authorization: 'Bearer gho_fromTheKeychain' } } });
    const { argv, env, calls } = notes();
    expect(argv).not.toContain('--no-auto-login');
    expect(env).toMatchObject({ COPILOT_HOME: copilotHome });
    expect(env).not.toHaveProperty('COPILOT_DISABLE_KEYTAR');
    expect(calls.map(({ method }) => method)).toContain('session.delete');
  });

  it('is asked anew: what the runtime noted about the account for an hour goes before and after', async () => {
    const place = played();
    const noted = join(place.dependencies.folder, 'cache', 'copilot', 'copilot-user-cache.json');
    const machine = join(place.dependencies.folder, 'cache', 'Microsoft', 'DeveloperTools', 'deviceid');
    for (const file of [noted, machine]) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, 'x');
    }
    await askEndpoint(place.dependencies, { runtimePath: place.runtimePath, credential: ofGithub });
    expect(Object.keys(place.left())).toEqual([
      'cache',
      join('cache', 'Microsoft'),
      join('cache', 'Microsoft', 'DeveloperTools'),
      join('cache', 'Microsoft', 'DeveloperTools', 'deviceid'),
    ]);
  });

  it('is no longer waited for when all have given it up', async () => {
    const place = played({ at: 'session.create', does: 'hang' });
    const stop = new AbortController();
    const reason = new Error('nobody waits');
    const { runtimePath } = place;
    const asked = askEndpoint(place.dependencies, { runtimePath, credential: ofGithub, signal: stop.signal });
    asked.catch(() => undefined);
    await until(() => place.left() && place.notes().calls.length === 2);
    stop.abort(reason);
    await expect(asked).rejects.toBe(reason);
    expect(isAlive(place.notes().pid)).toBe(false);
    expect(place.left()).toEqual({});
  });
});

describe('Auto', () => {
  const gives = {
    sessionToken: {
      token: 'auto-1',
      header: 'Copilot-Session-Token',
      model: 'claude-sonnet-5',
      expiresAt: '2026-11-22T02:52:23.000Z',
    },
  };

  it('gives a model and a token for its conversation', async () => {
    const place = played({ at: 'session.provider.getEndpoint', does: 'result', gives });
    const answer = await askAuto(place.dependencies, { runtimePath: place.runtimePath, credential: ofGithub });
    const expiresAt = Date.UTC(2026, 10, 22, 2, 52, 23);
    const session = { header: 'Copilot-Session-Token', token: 'auto-1', model: 'claude-sonnet-5', expiresAt };
    expect(answer).toEqual({ ok: true, session });
    expect(place.notes().calls[1]?.params).toMatchObject({ model: 'auto' });
  });

  it('is nothing where GitHub has none for the account', async () => {
    const place = played();
    const answer = await askAuto(place.dependencies, { runtimePath: place.runtimePath, credential: ofGithub });
    expect(answer).toEqual({ ok: true, session: null });
  });
});

const steps = ['start', 'connect', 'session.create', 'session.gitHubAuth.getStatus', 'session.provider.getEndpoint'];

describe('a runtime that fails', () => {
  it.each(steps)('by hanging at %s is ended in time', async (at) => {
    // The time is up when it hangs there, however long it took to get there.
    const clock = nodeClock();
    const place = played({ at, does: 'hang' });
    const hangs = () => existsSync(place.noted) && (at === 'start' || place.notes().calls.some((c) => c.method === at));
    const sleep = (ms: number, signal?: AbortSignal) =>
      ms === 300 ? until(hangs).then(() => undefined) : clock.sleep(ms, signal);
    const answer = await askEndpoint(
      { ...place.dependencies, clock: { ...clock, sleep }, limits: { start: 300, signIn: 300, endpoint: 300 } },
      { runtimePath: place.runtimePath, credential: ofGithub },
    );
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'no-answer', remedy: expect.stringMatching(/\w/u) } });
    expect(isAlive(place.notes().pid)).toBe(false);
    expect(place.left()).toEqual({});
  });

  it.each(steps)('by dying at %s is known at once', async (at) => {
    const { answer, left } = await ask({ at, does: 'die' });
    expect(answer).toMatchObject({
      ok: false,
      failure: { kind: 'died', message: expect.stringContaining('exit code 3') },
    });
    expect(left()).toEqual({});
  });

  it.each(['start', 'session.create'])('by writing something else at %s is ended', async (at) => {
    const { answer, notes } = await ask({ at, does: 'garbage' });
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'unreadable' } });
    expect(isAlive(notes().pid)).toBe(false);
  });

  it.each(['start', 'session.create'])('by talking without an end at %s is ended', async (at) => {
    const { answer, notes } = await ask({ at, does: 'flood', stubborn: true });
    expect(answer).toMatchObject({
      ok: false,
      failure: { kind: 'unreadable', message: expect.stringMatching(/talking/u) },
    });
    expect(isAlive(notes().pid)).toBe(false);
  });

  it('is given less than ten seconds for everything', async () => {
    expect(defaultLimits.whole + longestEndMs).toBeLessThan(10_000);
    const { answer } = await ask({ at: 'session.provider.getEndpoint', does: 'hang' }, ofGithub, {
      limits: { ...patientLimits, whole: 1_500 },
    });
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'no-answer' } });
  });

  it('is missing, may not be started, or is a folder', async () => {
    const { dependencies, runtimePath } = played();
    const kindOf = async (path: string) => {
      const answer = await askEndpoint(dependencies, { runtimePath: path, credential: ofGithub });
      return answer.ok ? 'ok' : answer.failure.kind;
    };
    expect(await kindOf(join(dirname(runtimePath), 'not-there'))).toBe('missing');
    expect(await kindOf(join(runtimePath, 'below-a-file'))).toBe('missing');
    expect(await kindOf(dirname(runtimePath))).toBe('not-executable');
    chmodSync(runtimePath, 0o600);
    expect(await kindOf(runtimePath)).toBe('not-executable');
    writeFileSync(runtimePath, Buffer.from([1, 2, 3]));
    chmodSync(runtimePath, 0o700);
    expect(['not-executable', 'died']).toContain(await kindOf(runtimePath));
  });

  const failed = (message: string, more: object = {}) => ({
    code: -32603,
    message: `Request x failed with message: ${message}`,
    ...more,
  });
  const userInfo = 'SDK session authentication failed: Failed to fetch Copilot user info:';
  it.each([
    ['too-old', null, { at: 'start', does: 'die', says: "error: unknown option '--headless'\n" }],
    ['too-old', null, { at: 'start', does: 'die', says: "copilot-runtime: unsupported argument '--stdio'\n" }],
    ['too-old', null, { at: 'connect', does: 'error', gives: { code: -32601, message: 'Unhandled method connect' } }],
    ['too-old', null, { at: 'connect', does: 'result', gives: { ok: true, protocolVersion: 2 } }],
    ['too-new', null, { at: 'connect', does: 'result', gives: { ok: true, protocolVersion: 4 } }],
    ['unreadable', null, { at: 'session.create', does: 'result', gives: {} }],
    ['unreadable', null, { at: 'session.create', does: 'error', gives: failed('something new') }],
    [
      'token-refused',
      401,
      {
        at: 'session.create',
        does: 'error',
        gives: failed(`${userInfo} 401 Unauthorized: {"message":"Bad credentials"}`),
      },
    ],
    ['no-copilot', 403, { at: 'session.create', does: 'error', gives: failed(`${userInfo} 403 Forbidden: {}`) }],
    ['no-copilot', 404, { at: 'session.create', does: 'error', gives: failed(`${userInfo} 404 Not Found: {}`) }],
    ['github-failed', 502, { at: 'session.create', does: 'error', gives: failed(`${userInfo} 502 Bad Gateway: x`) }],
    [
      'offline',
      null,
      {
        at: 'session.create',
        does: 'error',
        gives: failed('network fetch failed: request failed: error sending request for url (https://api.github.com/x)'),
      },
    ],
    ['not-signed-in', null, { at: 'session.gitHubAuth.getStatus', does: 'result', gives: { isAuthenticated: false } }],
    [
      'not-signed-in',
      null,
      {
        at: 'session.provider.getEndpoint',
        does: 'error',
        gives: failed('Session is not authenticated; provider endpoint is unavailable.'),
      },
    ],
    [
      'not-allowed',
      null,
      {
        at: 'session.provider.getEndpoint',
        does: 'error',
        gives: failed('To enable this API, set COPILOT_ALLOW_GET_PROVIDER_ENDPOINT=true'),
      },
    ],
    [
      'models-refused',
      403,
      {
        at: 'session.provider.getEndpoint',
        does: 'error',
        gives: { code: -32603, message: '403 "access to this endpoint is forbidden\\n"', data: { status: 403 } },
      },
    ],
    [
      'no-address',
      null,
      {
        at: 'session.provider.getEndpoint',
        does: 'error',
        gives: failed('Provider endpoint URL is not configured for this session.'),
      },
    ],
    ['unreadable', null, { baseUrl: 'http://copilot.example' }],
    ['unreadable', null, { baseUrl: 'https://name:password@copilot.example' }],
    [
      'unreadable',
      null,
      {
        at: 'session.provider.getEndpoint',
        does: 'result',
        gives: { baseUrl: 'https://copilot.example', headers: { Authorization: 'Bearer x\r\nHost: y' } },
      },
    ],
    [
      'unreadable',
      null,
      {
        at: 'session.provider.getEndpoint',
        does: 'result',
        gives: { baseUrl: 'https://copilot.example', headers: {} },
      },
    ],
  ] as const)('says %s (%s) in a sentence with a remedy: %j', async (kind, status, play) => {
    const { answer, notes } = await ask(play);
    expect(answer).toMatchObject({ ok: false, failure: { kind, status } });
    const { message, remedy } = answer.ok ? { message: '', remedy: '' } : answer.failure;
    for (const sentence of [message, remedy]) expect(sentence).toMatch(/^[A-Zg].*\.$/su);
    expect(`${message}${remedy}`).not.toMatch(/canary|password|undefined|null/u);
    expect(isAlive(notes().pid)).toBe(false);
  });

  it.each(['Host', 'content-length', 'Transfer-Encoding', 'Connection'])('may not name the header %s', async (name) => {
    const gives = { baseUrl: 'https://copilot.example', headers: { Authorization: 'Bearer x', [name]: '1' } };
    const { answer } = await ask({ at: 'session.provider.getEndpoint', does: 'result', gives });
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'unreadable' } });
  });

  it('shows no more of a protocol than a number', async () => {
    const gives = { ok: true, protocolVersion: 'canary '.repeat(100_000) };
    const { answer } = await ask({ at: 'connect', does: 'result', gives });
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'too-new' } });
    expect(JSON.stringify(answer)).not.toContain('canary');
  });

  it('says that a company’s host let it know nothing', async () => {
    const gives = { success: true, copilotUserResolved: false };
    const { answer } = await ask({ at: 'session.gitHubAuth.setCredentials', does: 'result', gives }, ofCompany);
    const message = expect.stringContaining('octo.ghe.com');
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'not-resolved', message } });
  });

  it('says why a stored sign-in is none', async () => {
    const at = 'account.getCurrentAuth';
    const gives = { authErrors: ['Failed to validate SDK token (401): GitHub returned: Bad credentials'] };
    const stored = { kind: 'stored-sign-in', copilotHome: temporaryFolder() } as const;
    const refused = await ask({ nobody: true, at, does: 'result', gives }, stored);
    expect(refused.answer).toMatchObject({ ok: false, failure: { kind: 'token-refused', status: 401 } });
    const nobody = await ask({ nobody: true }, stored);
    expect(nobody.answer).toMatchObject({ ok: false, failure: { kind: 'not-signed-in' } });
  });
});
