import { describe, expect, it } from 'vitest';
import type { Simulator } from '../../../app/simulator/simulator.ts';
import { editor, mint, simulate } from './client.ts';
import { sample } from './sample.ts';

interface Started {
  device_code: string;
  user_code: string;
}

const asJson = { accept: 'application/json' };
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

async function start(simulator: Simulator): Promise<Started> {
  const answer = await fetch(`${simulator.webUrl}/login/device/code`, {
    method: 'POST',
    headers: { ...asJson, 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: 'Iv1.b507a08c87ecfe98', scope: 'read:user' }),
  });
  return await answer.json();
}

async function poll(simulator: Simulator, code: Started, fields: Record<string, string> = {}): Promise<unknown> {
  const answer = await fetch(`${simulator.webUrl}/login/oauth/access_token`, {
    method: 'POST',
    headers: asJson,
    body: new URLSearchParams({
      client_id: 'Iv1.b507a08c87ecfe98',
      device_code: code.device_code,
      grant_type: deviceGrant,
      ...fields,
    }),
  });
  expect(answer.status).toBe(200);
  return await answer.json();
}

const failed = (error: string, more: object = {}): unknown => ({
  error,
  error_description: expect.any(String),
  error_uri: expect.any(String),
  ...more,
});

describe('device flow', () => {
  it('starts with the fields of the real one', async () => {
    const simulator = await simulate();
    const recorded = sample('device-code.response.json') as object;
    const started = await start(simulator);
    expect(Object.keys(started)).toEqual(Object.keys(recorded));
    expect(started).toMatchObject({
      user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
      verification_uri: `${simulator.webUrl}/login/device`,
      expires_in: 900,
      interval: 5,
    });
  });

  it('is pending, pending, approved, and then used up', async () => {
    const simulator = await simulate({ deviceInterval: 0, approveAfterPolls: 3 });
    const code = await start(simulator);
    expect(await poll(simulator, code)).toEqual(sample('device-token.pending.response.json'));
    expect(await poll(simulator, code)).toEqual(failed('authorization_pending'));
    expect(await poll(simulator, code)).toEqual({
      access_token: simulator.githubToken,
      token_type: 'bearer',
      scope: 'read:user',
    });
    expect(await poll(simulator, code)).toEqual(failed('incorrect_device_code'));
  });

  it('is approved, denied and expired by script', async () => {
    const simulator = await simulate({ deviceInterval: 0 });
    const { script } = simulator;
    const [approved, denied, expired] = [await start(simulator), await start(simulator), await start(simulator)];
    script.approve(approved.user_code);
    script.deny(denied.user_code);
    expect(await poll(simulator, approved)).toMatchObject({ access_token: simulator.githubToken });
    expect(await poll(simulator, denied)).toEqual(failed('access_denied'));
    script.expireDeviceCodes();
    expect(await poll(simulator, expired)).toEqual(failed('expired_token'));
  });

  it('approve() holds for a sign-in that starts later', async () => {
    const simulator = await simulate({ deviceInterval: 0 });
    simulator.script.approve();
    expect(await poll(simulator, await start(simulator))).toMatchObject({ access_token: simulator.githubToken });
  });

  it('tells a hasty client to slow down, and keeps the longer interval', async () => {
    const simulator = await simulate({ deviceInterval: 60 });
    const code = await start(simulator);
    expect(await poll(simulator, code)).toEqual(failed('authorization_pending'));
    expect(await poll(simulator, code)).toEqual(failed('slow_down', { interval: 120 }));
    expect(await poll(simulator, code)).toEqual(failed('slow_down', { interval: 180 }));
  });

  it('slows down and fails by script', async () => {
    const simulator = await simulate({ deviceInterval: 0 });
    const code = await start(simulator);
    simulator.script.slowDown(10);
    const slow = await poll(simulator, code);
    expect(slow).toEqual(failed('slow_down', { interval: 10 }));
    const next = await start(simulator);
    simulator.script.slowDown(null);
    expect(await poll(simulator, next)).toEqual(failed('slow_down'));
    simulator.script.failPoll('device_flow_disabled');
    expect(await poll(simulator, next)).toEqual(failed('device_flow_disabled'));
  });

  it('refuses another grant type', async () => {
    const simulator = await simulate({ deviceInterval: 0 });
    const answer = await poll(simulator, await start(simulator), { grant_type: 'password' });
    expect(answer).toEqual(failed('unsupported_grant_type'));
  });

  it('answers as a form where JSON was not asked for', async () => {
    const simulator = await simulate();
    const answer = await fetch(`${simulator.webUrl}/login/device/code`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'x' }),
    });
    expect(answer.headers.get('content-type')).toContain('application/x-www-form-urlencoded');
    expect(new URLSearchParams(await answer.text()).get('interval')).toBe('5');
  });

  it('a person types the code into the page', async () => {
    const simulator = await simulate({ deviceInterval: 0 });
    const code = await start(simulator);
    const page = `${simulator.webUrl}/login/device`;
    const submit = async (user_code: string, decision: string): Promise<string> => {
      const answer = await fetch(page, { method: 'POST', body: new URLSearchParams({ user_code, decision }) });
      return await answer.text();
    };
    expect(await (await fetch(page)).text()).toContain('It is not GitHub');
    expect(await submit('AAAA-AAAA', 'approve')).toContain('no sign-in under way');
    expect(await submit(` ${code.user_code.toLowerCase()} `, 'approve')).toContain('Approved');
    expect(await poll(simulator, code)).toMatchObject({ access_token: simulator.githubToken });
    const other = await start(simulator);
    expect(await submit(other.user_code, 'cancel')).toContain('Cancelled');
    expect(await poll(simulator, other)).toEqual(failed('access_denied'));
  });
});

describe('GET /copilot_internal/v2/token', () => {
  const ask = (simulator: Simulator, headers: Record<string, string>): Promise<Response> =>
    fetch(`${simulator.apiUrl}/copilot_internal/v2/token`, { headers });

  it('has the fields of the real one and names Copilot’s address', async () => {
    const simulator = await simulate({ tokenRefreshIn: 7, user: { sku: 'free_limited_copilot' } });
    const answer = await mint(simulator);
    expect(Object.keys(answer).sort()).toEqual(
      Object.keys(sample('copilot-token.response.shape.json') as object).sort(),
    );
    expect(answer).toMatchObject({
      refresh_in: 7,
      sku: 'free_limited_copilot',
      endpoints: { api: simulator.copilotUrl },
      token: expect.stringMatching(/^tid=.*;sku=free_limited_copilot;.*:[0-9a-f]{64}$/),
    });
  });

  it('takes the GitHub token in both of VS Code’s schemes, without an editor', async () => {
    const simulator = await simulate();
    const authorization = `token ${simulator.githubToken}`;
    expect((await ask(simulator, { authorization: 'token ghu_other' })).status).toBe(401);
    expect((await ask(simulator, { authorization: 'Bearer ghu_other' })).status).toBe(401);
    expect((await ask(simulator, { authorization: `Basic ${simulator.githubToken}` })).status).toBe(401);
    expect((await ask(simulator, { authorization: `Bearer ${simulator.githubToken}` })).status).toBe(200);
    expect((await ask(simulator, { authorization })).status).toBe(200);
  });

  it('is refused with GitHub’s reasons', async () => {
    const simulator = await simulate({ user: { login: 'xxx' } });
    const headers = { authorization: `token ${simulator.githubToken}`, ...editor };
    simulator.script.refuseMint('spammy_user');
    const refused = await ask(simulator, headers);
    const recorded = sample('error-403-copilot-token-spammy_user.json') as { error_details: { message: string } };
    expect(refused.status).toBe(403);
    expect(await refused.json()).toEqual({
      ...recorded,
      error_details: { ...recorded.error_details, url: expect.stringContaining('{EDITOR}') },
    });
    simulator.script.refuseMint({ status: 403, body: { message: 'API rate limit exceeded' } });
    expect(await (await ask(simulator, headers)).json()).toEqual({ message: 'API rate limit exceeded' });
    simulator.script.allowMint();
    expect((await ask(simulator, headers)).status).toBe(200);
    simulator.script.revokeGithubToken();
    expect(await (await ask(simulator, headers)).json()).toMatchObject({ message: 'Bad credentials' });
    simulator.script.approve();
    const given = (await poll(simulator, await start(simulator))) as { access_token: string };
    const anew = { ...headers, authorization: `token ${given.access_token}` };
    expect((await ask(simulator, anew)).status).toBe(200);
    expect((await ask(simulator, headers)).status).toBe(401);
  });

  it('obeys a queued reply', async () => {
    const simulator = await simulate();
    simulator.script.next({ kind: 'answer', status: 502, body: 'bad gateway' }, '/copilot_internal/v2/token');
    const headers = { authorization: `token ${simulator.githubToken}`, ...editor };
    expect((await ask(simulator, headers)).status).toBe(502);
    expect((await ask(simulator, headers)).status).toBe(200);
  });
});

describe('GET /copilot_internal/user', () => {
  const read = async (simulator: Simulator): Promise<Record<string, unknown>> => {
    const headers = { authorization: `Bearer ${simulator.githubToken}` };
    return await (await fetch(`${simulator.apiUrl}/copilot_internal/user`, { headers })).json();
  };

  it('tells login, plan and the bucket of credits', async () => {
    const user = { entitlement: 200, remaining: 150, plan: 'individual', resetDate: '2026-07-01T00:00:00.000Z' };
    const simulator = await simulate({ user: { ...user, login: 'student-user', sku: 'free_educational_quota' } });
    const recorded = sample('copilot_internal-user-student-token-billing.json') as Record<string, object>;
    const { quota_snapshots, ...facts } = recorded;
    const answer = await read(simulator);
    expect(answer).toMatchObject(facts);
    expect(answer.quota_snapshots).toMatchObject({
      ...quota_snapshots,
      premium_interactions: {
        entitlement: 200,
        remaining: 150,
        percent_remaining: 75,
        has_quota: true,
        unlimited: false,
      },
    });
    expect(answer.endpoints).toEqual({ api: simulator.copilotUrl });
  });

  it('an empty bucket has no quota; another host may be named', async () => {
    const simulator = await simulate();
    simulator.script.setRemaining(0);
    simulator.script.nameOtherHost('https://api.business.example');
    const answer = await read(simulator);
    expect(answer.quota_snapshots).toMatchObject({ premium_interactions: { has_quota: false, percent_remaining: 0 } });
    expect(answer.endpoints).toEqual({ api: 'https://api.business.example' });
  });
});

it('keeps no secret of a sign-in in its recordings but the fake token’s name', async () => {
  const simulator = await simulate();
  await mint(simulator);
  const [request] = simulator.githubRequests;
  expect(request).toMatchObject({
    path: '/copilot_internal/v2/token',
    headers: { authorization: 'token <github-token>' },
  });
  expect(JSON.stringify(simulator.githubRequests)).not.toContain(simulator.githubToken);
});
