import { afterEach, describe, expect, it } from 'vitest';
import { runDeviceFlow } from '../../../app/account/device-flow.ts';
import type { DeviceCode } from '../../../app/api/account.ts';
import { type Dialer, NetworkError } from '../../../app/ports.ts';
import { githubAddresses } from '../../../app/settings/github-addresses.ts';
import { gate, type Route, type Said } from './fake-server.ts';
import { jsonSample, type Surroundings, surround } from './surroundings.ts';

const started = jsonSample('device-code.response.json');
const pending: Said = { body: jsonSample('device-token.pending.response.json') };
const slowDown: Said = { body: jsonSample('device-token.slow_down.response.json') };
const success: Said = { body: jsonSample('device-token.success.response.json') };

let around: Surroundings;
afterEach(() => around.stop());

/** Runs a flow whose polls are answered by `polls` in turn; the last one goes on for ever. */
async function run(
  polls: Said[],
  options: { start?: Said; signal?: AbortSignal; shown?: (code: DeviceCode) => void } = {},
) {
  around = await surround({
    github: {
      'POST /login/device/code': () => options.start ?? { body: started },
      'POST /login/oauth/access_token': (_request, before) => polls[Math.min(before, polls.length - 1)],
    },
  });
  const codes: DeviceCode[] = [];
  const end = await runDeviceFlow(
    { ...around.parts, clientId: 'client-1', scope: 'read:user' },
    (code) => {
      codes.push(code);
      options.shown?.(code);
    },
    options.signal ?? new AbortController().signal,
  );
  return { end, codes, slept: around.clock.slept, polls: around.github.asked('POST /login/oauth/access_token') };
}

const granted = { kind: 'granted', githubToken: 'gho_16C7e42F292c6912E7710c838347Ae178B4a' };

describe('the device flow', () => {
  it('B2.1 pending, pending, success: polls at the interval and no more after the answer', async () => {
    const { end, codes, slept, polls } = await run([pending, pending, success]);
    expect(end).toEqual(granted);
    expect(slept).toEqual([5000, 5000, 5000]);
    expect(polls).toHaveLength(3);
    expect(codes).toEqual([
      {
        userCode: 'WDJB-MJHT',
        // The recorded address is not on the host that was asked, so the known one is shown.
        verificationUri: `${around.github.url.origin}/login/device`,
        expiresAt: Date.UTC(2026, 10, 20, 12, 15),
      },
    ]);
  });

  it('sends what GitHub asks for, and nothing else', async () => {
    await run([success]);
    const [start, poll] = around.github.seen;
    expect(start?.headers).toMatchObject({
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(start?.headers.authorization).toBeUndefined();
    expect(Object.fromEntries(new URLSearchParams(start?.body))).toEqual({ client_id: 'client-1', scope: 'read:user' });
    expect(Object.fromEntries(new URLSearchParams(poll?.body))).toEqual({
      client_id: 'client-1',
      device_code: started.device_code,
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    });
  });

  it('B2.2 slow_down: the interval it names stays', async () => {
    const { slept } = await run([pending, slowDown, pending, success]);
    expect(slept).toEqual([5000, 5000, 10_000, 10_000]);
  });

  it('B2.2 slow_down without an interval adds 5 s, each time, and stays', async () => {
    const bare: Said = { body: { error: 'slow_down' } };
    const { slept } = await run([bare, bare, pending, success]);
    expect(slept).toEqual([5000, 10_000, 15_000, 15_000]);
  });

  it('B2.2 a slow_down never makes it faster', async () => {
    const { slept } = await run([{ body: { error: 'slow_down', interval: 1 } }, success]);
    expect(slept).toEqual([5000, 5000]);
  });

  it.each([
    ['expired_token', { kind: 'expired' }],
    ['access_denied', { kind: 'denied' }],
    [
      'device_flow_disabled',
      {
        kind: 'failed',
        text: 'GitHub ended the sign-in: the words of GitHub',
        remedy: 'Check the client id in the settings.',
      },
    ],
    [
      'incorrect_client_credentials',
      {
        kind: 'failed',
        text: 'GitHub ended the sign-in: the words of GitHub',
        remedy: 'Check the client id in the settings.',
      },
    ],
    [
      'incorrect_device_code',
      { kind: 'failed', text: 'GitHub ended the sign-in: the words of GitHub', remedy: 'Sign in again.' },
    ],
    [
      'something_new',
      { kind: 'failed', text: 'GitHub ended the sign-in: the words of GitHub', remedy: 'Sign in again.' },
    ],
  ])('B2.3 %s ends it at that poll', async (error, expected) => {
    const { end, polls } = await run([pending, { body: { error, error_description: 'the words of GitHub' } }, success]);
    expect(end).toEqual(expected);
    expect(polls).toHaveLength(2);
  });

  it('B2.4 a lost network, a 5xx and a page of another server are waited out', async () => {
    const { end, slept } = await run([
      { reset: true },
      { status: 502, body: 'bad gateway' },
      { body: '<html>Sign in to this network</html>' },
      success,
    ]);
    expect(end).toEqual(granted);
    expect(slept).toEqual([5000, 5000, 5000, 5000]);
    expect(around.log.lines.map((line) => [line.event, line.facts.count])).toEqual([
      ['sign-in.poll-lost', 1],
      ['sign-in.poll-lost', 2],
      ['sign-in.poll-lost', 3],
    ]);
  });

  it('B2.4 a network that never comes back ends with the code, not later', async () => {
    const { end, polls, slept } = await run([{ reset: true }], { start: { body: { ...started, expires_in: 18 } } });
    expect(end).toEqual({ kind: 'expired' });
    expect(polls).toHaveLength(3);
    expect(slept).toEqual([5000, 5000, 5000, 3000]);
  });

  it('a machine that slept over the end does not poll', async () => {
    around = await surround({ github: { 'POST /login/device/code': () => ({ body: started }) } });
    around.clock.held = true;
    const end = runDeviceFlow({ ...around.parts, clientId: 'c', scope: 's' }, () => {}, new AbortController().signal);
    await around.clock.asleep();
    around.clock.jump(3_600_000);
    around.clock.wake();
    expect(await end).toEqual({ kind: 'expired' });
    expect(around.github.asked('POST /login/oauth/access_token')).toEqual([]);
  });

  it('B2.5 cancel while it waits ends it at once, without another poll', async () => {
    around = await surround({ github: { 'POST /login/device/code': () => ({ body: started }) } });
    around.clock.held = true;
    const cancel = new AbortController();
    const end = runDeviceFlow({ ...around.parts, clientId: 'c', scope: 's' }, () => {}, cancel.signal);
    await around.clock.asleep();
    cancel.abort();
    expect(await end).toEqual({ kind: 'cancelled' });
    expect(around.github.asked('POST /login/oauth/access_token')).toEqual([]);
  });

  it('B2.5 cancel during a poll: an answer that comes later is not taken', async () => {
    const polled = gate();
    const answer = gate();
    const cancel = new AbortController();
    const slow: Route = async () => {
      polled.open();
      await answer.opened;
      return success;
    };
    around = await surround({
      github: { 'POST /login/device/code': () => ({ body: started }), 'POST /login/oauth/access_token': slow },
    });
    const end = runDeviceFlow({ ...around.parts, clientId: 'c', scope: 's' }, () => {}, cancel.signal);
    await polled.opened;
    cancel.abort();
    expect(await end).toEqual({ kind: 'cancelled' });
    answer.open();
  });

  it('B2.5 cancelled before it began: GitHub is not asked', async () => {
    const { end } = await run([success], { signal: AbortSignal.abort() });
    expect(end).toEqual({ kind: 'cancelled' });
    expect(around.github.seen).toEqual([]);
  });

  it('a start that fails says what GitHub said', async () => {
    const { end } = await run([], { start: { status: 404, body: { error: 'Not Found' } } });
    expect(end).toEqual({
      kind: 'failed',
      text: `${around.github.url.host} sent no sign-in code (status 404: Not Found).`,
      remedy: 'Check the address of GitHub and the client id in the settings.',
    });
  });

  it('B2.6 B3.6 a tenant of GHE.com is asked at its own addresses', async () => {
    around = await surround();
    const asked: string[] = [];
    const dialer: Dialer = {
      dial: (request) => {
        asked.push(request.url.href);
        return Promise.reject(new NetworkError(request.url.host, 'ENOTFOUND', 'its name could not be found'));
      },
      close: () => {},
    };
    const github = githubAddresses({ JUMPSEAT_GITHUB_URL: 'https://octo.ghe.com' });
    const end = await runDeviceFlow(
      { ...around.parts, dialer, github, clientId: 'c', scope: 's' },
      () => {},
      new AbortController().signal,
    );
    expect(asked).toEqual(['https://octo.ghe.com/login/device/code']);
    expect(end).toEqual({
      kind: 'failed',
      text: 'No connection to octo.ghe.com, because its name could not be found.',
      remedy: 'Check the network, and a proxy if there is one, then sign in again.',
    });
  });
});
