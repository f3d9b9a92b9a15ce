import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Access } from '../../../app/account/access.ts';
import { Account } from '../../../app/account/account.ts';
import { AccountError } from '../../../app/account/account-error.ts';
import { readStored, storedToken } from '../../../app/account/token-store.ts';
import { SecretsError } from '../../../app/ports.ts';
import { gate, type Said } from './fake-server.ts';
import { githubToken, jsonSample, type Surroundings, surround, tokenBody } from './surroundings.ts';

const mintRoute = 'GET /copilot_internal/v2/token';
const userRoute = 'GET /copilot_internal/user';

let around: Surroundings;
beforeEach(async () => {
  around = await surround();
});
afterEach(() => around.stop());

async function signedIn(): Promise<Account> {
  around.secrets.values.set('github-token', githubToken);
  const account = new Account(around.parts);
  await account.load();
  return account;
}

const mints = () => around.github.asked(mintRoute).length;
const answerMint = (said: (before: number) => Said | Promise<Said>) => {
  around.github.routes[mintRoute] = (_request, before) => said(before);
};
const answerSignIn = (poll: Said, start: Said = { body: jsonSample('device-code.response.json') }) => {
  around.github.routes['POST /login/device/code'] = () => start;
  around.github.routes['POST /login/oauth/access_token'] = () => poll;
};
/** The error of an account, as a plain value. */
async function trouble(promise: Promise<unknown>) {
  const error = await promise.then(
    () => null,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(AccountError);
  const { kind, status, notice, retryAfterSeconds, message, remedy } = error as AccountError;
  return { kind, status, notice, retryAfterSeconds, message, remedy };
}

const minute = 60_000;

describe('the Copilot token', () => {
  it(
    'B1.1 B3.1 is minted on first use, with exactly the headers of our identity, and carries its own ' + 'host',
    async () => {
      const account = await signedIn();
      expect(mints()).toBe(0);
      expect(account.current()).toBeNull();
      const token = await account.token();
      expect(token).toEqual({
        authorization: 'Bearer tid=1;exp=1764000000;sku=monthly_subscriber:mac',
        apiBase: new URL(around.copilot.url.origin),
        identity: expect.any(Function),
        obtainedAt: around.clock.now(),
        usableUntil: around.clock.now() + 1_560_000,
        sku: 'monthly_subscriber',
      });
      const { host, connection, ...headers } = around.github.asked(mintRoute)[0]?.headers ?? {};
      expect(headers).toEqual({
        authorization: `token ${githubToken}`,
        accept: '*/*',
        'user-agent': 'GitHubCopilotChat/0.67.0',
        'x-github-api-version': '2025-04-01',
      });
    },
  );

  it('B1.2 is cached, and then there without waiting', async () => {
    const account = await signedIn();
    const token = await account.token();
    expect(await account.token()).toBe(token);
    expect(account.current()).toBe(token);
    expect(mints()).toBe(1);
  });

  it('B1.3 is minted once for 50 callers at the same time', async () => {
    const account = await signedIn();
    const tokens = await Promise.all(Array.from({ length: 50 }, () => account.token()));
    expect(new Set(tokens).size).toBe(1);
    expect(mints()).toBe(1);
  });

  it(
    'B1.6 C15.2 is refreshed when less than 5 minutes are left by our clock, whatever the service thinks the ' +
      'time is',
    async () => {
      const account = await signedIn();
      answerMint((before) => ({ body: tokenBody(around.copilot, before + 1, { expires_at: 1 }) }));
      await account.token();
      around.clock.advance(21 * minute - 1);
      expect((await account.token()).authorization).toMatch(/^Bearer tid=1;/);
      around.clock.advance(1);
      expect(account.current()).toBeNull();
      expect((await account.token()).authorization).toMatch(/^Bearer tid=2;/);
    },
  );

  it.each([
    [0, minute],
    [-5, minute],
    [120, minute],
    [600, 6 * minute],
  ])('with refresh_in %d it is used for %d ms before it is refreshed', async (refreshIn, usedFor) => {
    answerMint((before) => ({ body: tokenBody(around.copilot, before + 1, { refresh_in: refreshIn }) }));
    const account = await signedIn();
    await account.token();
    around.clock.advance(usedFor - 1);
    await account.token();
    expect(mints()).toBe(1);
    around.clock.advance(1);
    await account.token();
    expect(mints()).toBe(2);
  });

  it('B1.7 C15.1 after a sleep the next call mints; so it does when the clock was put back', async () => {
    const account = await signedIn();
    await account.token();
    around.clock.jump(8 * 60 * minute);
    await account.token();
    expect(mints()).toBe(2);
    around.clock.jump(-4 * 60 * minute);
    await account.token();
    expect(mints()).toBe(3);
  });

  it('B1.8 a failed mint is not cached', async () => {
    answerMint((before) => (before === 0 ? { status: 500, body: 'oops' } : { body: tokenBody(around.copilot, 7) }));
    const account = await signedIn();
    expect(await trouble(account.token())).toMatchObject({ kind: 'broken', status: 500 });
    expect((await account.token()).authorization).toMatch(/^Bearer tid=7;/);
  });

  it('a refresh ahead of time that fails leaves the old token in use, and is not tried at every call', async () => {
    const account = await signedIn();
    const token = await account.token();
    around.clock.advance(22 * minute);
    answerMint(() => ({ status: 503, body: '' }));
    expect(await account.token()).toBe(token);
    expect(await account.token()).toBe(token);
    expect(mints()).toBe(2);
    around.clock.advance(30_000);
    expect(await account.token()).toBe(token);
    expect(mints()).toBe(3);
    around.clock.advance(4 * minute);
    expect(await trouble(account.token())).toMatchObject({ kind: 'broken', status: 503 });
  });

  it(
    'B1.12 C15.3 a late refusal of an old token does not throw away a newer one; a burst of refusals mints ' + 'once',
    async () => {
      const account = await signedIn();
      const old = await account.token();
      for (let count = 0; count < 20; count += 1) account.refuse(old, 401);
      const [newer] = await Promise.all([account.token(), account.token()]);
      expect(newer.authorization).toMatch(/^Bearer tid=2;/);
      account.refuse(old, 401);
      expect(await account.token()).toBe(newer);
      expect(mints()).toBe(2);
    },
  );

  it('C15.4 two refusals in a row keep the sign-in and ask GitHub nothing for 30 s; then it goes on by itself', async () => {
    const account = await signedIn();
    account.refuse(await account.token(), 401);
    account.refuse(await account.token(), 401);
    expect(await trouble(account.token())).toEqual({
      kind: 'tokens-refused',
      status: 401,
      notice: null,
      retryAfterSeconds: 30,
      message: 'Copilot refuses the tokens that GitHub currently issues.',
      remedy: 'You stay signed in, and the next request tries again.',
    });
    expect(account.state()).toMatchObject({
      kind: 'signed-in',
      notice: { id: 'tokens-refused', title: 'Copilot refuses its tokens' },
    });
    expect(mints()).toBe(2);
    around.clock.advance(30_000);
    expect(account.state()).toMatchObject({ notice: null });
    account.refuse(await account.token(), 421);
    await account.token();
    account.accepted();
    expect(account.state()).toMatchObject({ notice: null });
    account.refuse(await account.token(), 401);
    await account.token();
    expect(mints()).toBe(5);
  });

  it('B1.13 signing out during a mint leaves nothing cached, and tells those who wait', async () => {
    const answer = gate();
    const asked = gate();
    answerMint(async () => {
      asked.open();
      await answer.opened;
      return { body: tokenBody(around.copilot, 1) };
    });
    const account = await signedIn();
    const waiting = trouble(account.token());
    await asked.opened;
    await account.signOut();
    answer.open();
    expect(await waiting).toMatchObject({ kind: 'signed-out' });
    expect(account.current()).toBeNull();
    expect(account.state()).toEqual({ kind: 'signed-out' });
    expect(around.secrets.values.size).toBe(0);
  });

  it('B1.14 GitHub’s own words for a refusal are kept: title, message, link', async () => {
    answerMint(() => ({ status: 403, body: jsonSample('error-403-copilot-token-spammy_user.json') }));
    const account = await signedIn();
    const notice = {
      id: 'spammy_user',
      title: 'Contact Support',
      message: 'Contact Support. You are currently logged in as xxx.',
      url: 'https://support.github.com?editor=vscode',
    };
    expect(await trouble(account.token())).toEqual({
      kind: 'refused',
      status: 403,
      notice,
      retryAfterSeconds: null,
      message: 'Resource not accessible by integration',
      remedy: 'See https://support.github.com?editor=vscode',
    });
    expect(account.state()).toMatchObject({ kind: 'signed-in', token: null, notice });
    answerMint(() => ({ body: tokenBody(around.copilot, 1) }));
    await account.token();
    expect(account.state()).toMatchObject({ kind: 'signed-in', notice: null });
  });

  it.each([
    'no_copilot_access',
    'not_signed_up',
    'subscription_ended',
    'feature_flag_blocked',
    'spammy_user',
    'billing_locked',
    'trade_restricted',
    'access_revoked',
    'programmatic_token_generation',
  ])('C17.1 %s gives its own text and link, with 401 as with 403', async (id) => {
    for (const status of [401, 403]) {
      const details = { notification_id: id, title: `T ${id}`, message: `M ${id}`, url: `https://github.com/${id}` };
      answerMint(() => ({ status, body: { error_details: details, message: 'no', can_signup_for_limited: false } }));
      const account = await signedIn();
      expect(await trouble(account.token())).toMatchObject({
        kind: 'refused',
        status,
        notice: { id, title: `T ${id}`, message: `M ${id}`, url: `https://github.com/${id}` },
      });
    }
  });

  it.each<[string, Said, number | null]>([
    ['403 with its words', { status: 403, body: { message: 'API rate limit exceeded for user ID 1.' } }, null],
    ['429 with seconds', { status: 429, headers: { 'retry-after': '75' }, body: { message: 'slow' } }, 75],
    [
      'the second at which it ends',
      {
        status: 403,
        headers: {
          date: 'Fri, 20 Nov 2026 12:00:00 GMT',
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': String(Date.UTC(2026, 10, 20, 12, 2) / 1000),
        },
        body: '',
      },
      120,
    ],
  ])('B1.15 a rate limit of the mint is not "not signed in": %s', async (_name, said, retryAfterSeconds) => {
    answerMint(() => said);
    const account = await signedIn();
    expect(await trouble(account.token())).toEqual({
      kind: 'rate-limited',
      status: said.status,
      notice: null,
      retryAfterSeconds,
      message: 'GitHub limits how often a Copilot token may be asked for, and the limit is reached.',
      remedy: 'Wait; the sign-in itself is fine.',
    });
    expect(account.state()).toMatchObject({ kind: 'signed-in', notice: null });
  });

  it.each<[string, Said]>([
    ['a page', { body: '<html>Log in to this network</html>' }],
    ['an empty body', { body: '' }],
    ['a list', { body: [] }],
    ['no token', { body: { endpoints: { api: 'https://api.githubcopilot.com' } } }],
    [
      'a token that no header can hold',
      { body: { token: 'tid=1…', endpoints: { api: 'https://api.githubcopilot.com' } } },
    ],
  ])('B1.16 an answer that is no token is broken, not refused: %s', async (_name, said) => {
    answerMint(() => said);
    expect(await trouble((await signedIn()).token())).toMatchObject({ kind: 'broken', status: 200 });
  });

  it.each([
    'http://api.githubcopilot.com',
    'https://user:pass@api.githubcopilot.com',
    'https://api.githubcopilot.com?x=1',
    'ftp://127.0.0.1',
    'api.githubcopilot.com',
    undefined,
  ])('B3.4 a token that names %s as its host is not used', async (api) => {
    answerMint(() => ({ body: tokenBody(around.copilot, 1, { endpoints: { api } }) }));
    const account = await signedIn();
    expect(await trouble(account.token())).toMatchObject({ kind: 'broken' });
    expect(account.current()).toBeNull();
  });

  it('no network is said with the host and the reason', async () => {
    answerMint(() => ({ reset: true }));
    const account = await signedIn();
    expect(await trouble(account.token())).toEqual({
      kind: 'network',
      status: null,
      notice: null,
      retryAfterSeconds: null,
      message: 'the connection was closed before an answer came',
      remedy: `Check the network; ${around.github.url.host} has to be reachable.`,
    });
  });
});

describe('the GitHub token', () => {
  it('B2.7 C17.2 a personal access token is refused with the reason, and goes nowhere', async () => {
    for (const pat of ['ghp_0123456789', 'github_pat_0123456789']) {
      const account = new Account({ ...around.parts, githubToken: pat });
      const error = await trouble(account.token());
      expect(error).toMatchObject({
        kind: 'refused',
        message:
          'This is a personal access token; GitHub issues no Copilot token for it, whatever its scopes. Use ' +
          'the token of a device sign-in ("jumpseat login").',
      });
      expect(account.state()).toMatchObject({ kind: 'signed-in', notice: { message: error.message } });
      expect(JSON.stringify(error)).not.toContain('0123456789');
    }
    expect(around.github.seen).toEqual([]);
  });

  it('given by the environment is used and never stored, nor is the store read', async () => {
    const account = new Account({ ...around.parts, githubToken });
    await account.load();
    await account.token();
    await new Account({ ...around.parts, githubToken: `  ${githubToken}\n` }).token();
    expect(around.github.asked(mintRoute)[1]?.headers.authorization).toBe(`token ${githubToken}`);
    expect(around.secrets.values.size).toBe(0);
    expect(around.secrets.reads).toBe(0);
    expect(await account.signIn(() => {})).toEqual({
      kind: 'failed',
      text: 'The GitHub token comes from JUMPSEAT_GITHUB_TOKEN.',
      remedy: 'Unset JUMPSEAT_GITHUB_TOKEN to sign in here.',
    });
  });

  it('that is revoked is refused with status 401', async () => {
    answerMint(() => ({ status: 401, body: { message: 'Bad credentials' } }));
    const account = await signedIn();
    expect(await trouble(account.token())).toMatchObject({
      kind: 'refused',
      status: 401,
      message: 'GitHub refuses the sign-in.',
      remedy:
        'Run "jumpseat login", or click “Sign in” in Jumpseat’s window. Or sign in through GitHub’s Copilot SDK: Settings → ' +
        'Account.',
    });
    expect(account.state()).toMatchObject({ notice: { id: 'sign-in-refused', title: 'Sign in again' } });
  });

  it('that is revoked here, while another process has signed in anew, is replaced by the new one', async () => {
    const account = await signedIn();
    around.github.routes[mintRoute] = (request) =>
      request.headers.authorization === 'token ghu_new'
        ? { body: tokenBody(around.copilot, 9) }
        : { status: 401, body: { message: 'Bad credentials' } };
    around.secrets.values.set('github-token', 'ghu_new');
    around.clock.advance(1000);
    expect((await account.token()).authorization).toMatch(/^Bearer tid=9;/);
  });

  it('is looked for again when another process may have signed in, once a second at most', async () => {
    const account = new Account(around.parts);
    await account.load();
    expect(around.secrets.reads).toBe(1);
    for (let count = 0; count < 20; count += 1) {
      expect(await trouble(account.token())).toMatchObject({ kind: 'signed-out', message: 'Not signed in to GitHub.' });
    }
    expect(around.secrets.reads).toBe(1);
    around.secrets.values.set('github-token', githubToken);
    around.clock.advance(1000);
    const tokens = await Promise.all([account.token(), account.token()]);
    expect(tokens[0]?.authorization).toMatch(/^Bearer tid=1;/);
    expect(around.secrets.reads).toBe(2);
  });

  it('in a store that cannot be read: a state and an error with the store’s own remedy, no crash', async () => {
    around.secrets.trouble = new SecretsError('The keychain is locked.', 'Unlock it.');
    const account = new Account(around.parts);
    await account.load();
    expect(account.state()).toEqual({ kind: 'signed-out' });
    expect(await trouble(account.token())).toMatchObject({
      kind: 'broken',
      message: 'The keychain is locked.',
      remedy: 'Unlock it.',
    });
    around.secrets.trouble = null;
    around.secrets.values.set('github-token', githubToken);
    around.clock.advance(1000);
    expect((await account.token()).authorization).toMatch(/^Bearer tid=1;/);
  });

  it('removed by another process is gone here after the next look', async () => {
    const account = await signedIn();
    around.secrets.values.clear();
    await account.load();
    expect(account.state()).toEqual({ kind: 'signed-out' });
  });
});

describe('signing in', () => {
  const granted: Said = { body: jsonSample('device-token.success.response.json') };
  const newToken = 'gho_16C7e42F292c6912E7710c838347Ae178B4a';

  it('shows the code, stores the token, and knows who it is', async () => {
    answerSignIn(granted);
    const account = new Account(around.parts);
    const states: string[] = [];
    account.onChange(() => states.push(account.state().kind));
    let shown = '';
    const result = await account.signIn((code) => {
      shown = code.userCode;
    });
    expect(result).toEqual({ kind: 'signed-in', login: 'student-user' });
    expect(shown).toBe('WDJB-MJHT');
    expect(states[0]).toBe('signing-in');
    expect(account.state()).toEqual({
      kind: 'signed-in',
      login: 'student-user',
      plan: 'individual',
      sku: 'monthly_subscriber',
      apiHost: around.copilot.url.host,
      token: { mintedAt: around.clock.now(), usableUntil: around.clock.now() + 1_560_000 },
      notice: null,
    });
    expect(around.secrets.values.get('github-token')).toBe(`${around.github.url.host} ${newToken}`);
    expect(new URLSearchParams(around.github.seen[0]?.body).get('client_id')).toBe('Iv1.b507a08c87ecfe98');
    expect(new URLSearchParams(around.github.seen[0]?.body).get('scope')).toBe('read:user');
  });

  it(
    'A1.7 as another account: the old one serves until then, its token stays whole, the next call gets the ' +
      'new one',
    async () => {
      const account = await signedIn();
      const old = await account.token();
      answerSignIn(granted);
      let during: Access | null = null;
      await account.signIn(() => {
        during = account.current();
      });
      expect(during).toBe(old);
      const now = await account.token();
      expect(now.authorization).toMatch(/^Bearer tid=2;/);
      expect(around.github.asked(mintRoute).map((seen) => seen.headers.authorization)).toEqual([
        `token ${githubToken}`,
        `token ${newToken}`,
      ]);
      account.refuse(old, 401);
      expect(account.current()).toBe(now);
    },
  );

  it.each<[string, Said, unknown]>([
    ['denied', { body: { error: 'access_denied' } }, { kind: 'denied' }],
    ['expired', { body: { error: 'expired_token' } }, { kind: 'expired' }],
  ])('A1.8 one that is %s leaves the old account', async (_name, poll, expected) => {
    const account = await signedIn();
    const old = await account.token();
    answerSignIn(poll);
    expect(await account.signIn(() => {})).toEqual(expected);
    expect(await account.token()).toBe(old);
    expect(account.state()).toMatchObject({ kind: 'signed-in' });
    expect(around.secrets.values.get('github-token')).toBe(githubToken);
  });

  it('A1.8 one that cannot be stored leaves the old account, and is never kept elsewhere', async () => {
    const account = await signedIn();
    const old = await account.token();
    answerSignIn(granted);
    around.secrets.set = () => Promise.reject(new SecretsError('The keychain is locked.', 'Unlock it.'));
    expect(await account.signIn(() => {})).toEqual({
      kind: 'no-storage',
      text: 'The sign-in could not be stored. The keychain is locked.',
      remedy: 'Unlock it.',
    });
    expect(await account.token()).toBe(old);
    expect(around.secrets.values.get('github-token')).toBe(githubToken);
  });

  it('a second one ends the first as cancelled', async () => {
    around.clock.held = true;
    answerSignIn(granted);
    const account = new Account(around.parts);
    const first = account.signIn(() => {});
    await around.clock.asleep();
    around.clock.held = false;
    expect(await account.signIn(() => {})).toEqual({ kind: 'signed-in', login: 'student-user' });
    expect(await first).toEqual({ kind: 'cancelled' });
    expect(account.state()).toMatchObject({ kind: 'signed-in' });
  });

  it('signing out while it waits ends it', async () => {
    around.clock.held = true;
    answerSignIn(granted);
    const account = await signedIn();
    const waiting = account.signIn(() => {});
    await around.clock.asleep();
    await account.signOut();
    expect(await waiting).toEqual({ kind: 'cancelled' });
    expect(account.state()).toEqual({ kind: 'signed-out' });
    expect(around.secrets.values.size).toBe(0);
  });

  it('signing out while the new token is stored ends with nothing stored', async () => {
    answerSignIn(granted);
    const account = new Account(around.parts);
    const storing = gate();
    const stored = gate();
    const set = around.secrets.set.bind(around.secrets);
    around.secrets.set = async (name, value) => {
      storing.open();
      await stored.opened;
      await set(name, value);
    };
    const signingIn = account.signIn(() => {});
    await storing.opened;
    const signingOut = account.signOut();
    stored.open();
    await signingOut;
    expect(await signingIn).toEqual({ kind: 'cancelled' });
    expect(around.secrets.values.size).toBe(0);
    expect(account.state()).toEqual({ kind: 'signed-out' });
  });

  it('without Copilot ends signed in, with GitHub’s words in the state', async () => {
    answerSignIn(granted);
    answerMint(() => ({ status: 403, body: jsonSample('error-403-copilot-token-spammy_user.json') }));
    const account = new Account(around.parts);
    expect(await account.signIn(() => {})).toEqual({ kind: 'signed-in', login: 'student-user' });
    expect(account.state()).toMatchObject({ kind: 'signed-in', notice: { id: 'spammy_user' } });
  });

  it('signing out in a store that keeps the token does not bring it back here', async () => {
    const account = await signedIn();
    around.secrets.delete = () => Promise.reject(new SecretsError('The keychain is locked.', 'Unlock it.'));
    await expect(account.signOut()).rejects.toThrow('The keychain is locked.');
    around.clock.advance(5000);
    expect(await trouble(account.token())).toMatchObject({ kind: 'signed-out' });
  });
});

describe('the account', () => {
  it('B3.2 C11.1 user info that names another host changes nothing', async () => {
    around.github.routes[userRoute] = () => ({
      body: {
        ...jsonSample('copilot_internal-user-student-token-billing.json'),
        copilot_plan: 'business',
        endpoints: { api: 'https://api.business.githubcopilot.com' },
      },
    });
    const account = await signedIn();
    await account.token();
    await account.readUser();
    expect(account.state()).toMatchObject({ plan: 'business', apiHost: around.copilot.url.host });
    expect((await account.token()).apiBase.host).toBe(around.copilot.url.host);
  });

  it('asks GitHub about itself once at a time, and keeps what it knew when that fails', async () => {
    const account = await signedIn();
    await Promise.all([account.readUser(), account.readUser(), account.readUser()]);
    expect(around.github.asked(userRoute)).toHaveLength(1);
    around.github.routes[userRoute] = () => ({ status: 500, body: 'oops' });
    await account.readUser();
    expect(account.state()).toMatchObject({ login: 'student-user' });
    expect(account.quota()).toMatchObject({ world: 'credits', entitlement: 200, remaining: 150 });
  });

  it('B8.6 the newest of user info and answer headers wins', async () => {
    const account = await signedIn();
    await account.readUser();
    let changes = 0;
    account.onChange(() => {
      changes += 1;
    });
    around.clock.advance(1000);
    const header = {
      'x-quota-snapshot-premium_interactions':
        'ent=200&ov=0.0&ovPerm=false&rem=50.0&rst=2026-07-01T00%3A00%3A00Z&totRem=',
    };
    account.noteHeaders(header);
    account.noteHeaders(header);
    account.noteHeaders({});
    expect(changes).toBe(1);
    expect(account.quota()).toEqual({
      world: 'credits',
      entitlement: 200,
      // By a share that is rounded: it may be so much.
      remaining: 100.2,
      percentRemaining: expect.closeTo(50.1),
      unlimited: false,
      overagePermitted: false,
      overageUsed: 0,
      exhausted: false,
      resetsAt: '2026-07-01T00:00:00Z',
      asOf: around.clock.now(),
    });
    around.clock.advance(1000);
    await account.readUser();
    expect(account.quota()).toMatchObject({ remaining: 150, asOf: around.clock.now() });
  });

  it('what GitHub says late about an account that is gone changes nothing', async () => {
    const asked = gate();
    const answer = gate();
    around.github.routes[userRoute] = async () => {
      asked.open();
      await answer.opened;
      return { body: jsonSample('copilot_internal-user-student-token-billing.json') };
    };
    const account = await signedIn();
    const reading = account.readUser();
    await asked.opened;
    await account.signOut();
    let changes = 0;
    account.onChange(() => {
      changes += 1;
    });
    answer.open();
    await reading;
    expect([changes, account.quota(), account.state()]).toEqual([0, null, { kind: 'signed-out' }]);
  });

  it('a listener that stopped is not called', async () => {
    const account = await signedIn();
    let calls = 0;
    const stop = account.onChange(() => {
      calls += 1;
    });
    stop();
    await account.token();
    expect(calls).toBe(0);
  });

  it('B1.17 no token is in an error, a log line or the state', async () => {
    const account = await signedIn();
    const texts: string[] = [];
    const keep = (error: unknown) => {
      if (error instanceof Error) texts.push(error.message, String(error.stack), JSON.stringify(error));
    };
    for (const said of [
      { status: 401, body: { message: 'Bad credentials' } },
      { status: 500, body: 'x' },
      { reset: true },
      { body: tokenBody(around.copilot, 1, { endpoints: { api: 'http://nowhere.example' } }) },
    ] satisfies Said[]) {
      answerMint(() => said);
      await account.token().catch(keep);
    }
    answerMint((before) => ({ body: tokenBody(around.copilot, before) }));
    await account.token();
    texts.push(JSON.stringify(account.state()), JSON.stringify(around.log.lines));
    expect(texts.length).toBeGreaterThan(12);
    for (const text of texts) {
      expect(text).not.toContain(githubToken);
      expect(text).not.toContain('tid=');
    }
  });
});

describe('another GitHub', () => {
  let other: Surroundings;
  beforeEach(async () => {
    other = await surround();
  });
  afterEach(() => other.stop());
  const there = () => other.parts.github;

  it(
    'gets no token that the first one gave, neither from memory nor from the store, nor at the next ' + 'start',
    async () => {
      const account = await signedIn();
      around.secrets.values.set('github-token', `${around.github.url.host} ${githubToken}`);
      await account.token();
      await account.moveTo(there());
      expect(account.state()).toMatchObject({ kind: 'signed-out' });
      expect(account.current()).toBeNull();
      expect(await trouble(account.token())).toMatchObject({ kind: 'signed-out' });
      await account.readUser();
      const next = new Account({ ...around.parts, github: there() });
      await next.load();
      expect(await trouble(next.token())).toMatchObject({ kind: 'signed-out' });
      expect(other.github.seen).toEqual([]);
    },
  );

  it('is signed in to anew, and each gets its own token when one comes back', async () => {
    const account = await signedIn();
    await account.moveTo(there());
    other.github.routes['POST /login/device/code'] = () => ({ body: jsonSample('device-code.response.json') });
    other.github.routes['POST /login/oauth/access_token'] = () => ({
      body: jsonSample('device-token.success.response.json'),
    });
    expect(await account.signIn(() => {})).toEqual({ kind: 'signed-in', login: 'student-user' });
    expect(around.secrets.values.get('github-token')).toBe(
      `${other.github.url.host} gho_16C7e42F292c6912E7710c838347Ae178B4a`,
    );
    expect((await account.token()).apiBase.host).toBe(other.copilot.url.host);
    await account.moveTo(around.parts.github);
    expect(account.state()).toMatchObject({ kind: 'signed-out' });
    await account.moveTo(there());
    expect((await account.token()).apiBase.host).toBe(other.copilot.url.host);
    const shown = around.github.seen.map(({ headers }) => headers.authorization ?? '');
    expect(shown.filter((value) => value.includes('gho_16C7'))).toEqual([]);
  });

  it(
    'ends a sign-in that waits, and a look into the store that is under way brings nothing of the old ' + 'one',
    async () => {
      around.clock.held = true;
      answerSignIn({ body: { error: 'authorization_pending' } });
      const account = new Account(around.parts);
      const waiting = account.signIn(() => {});
      await around.clock.asleep();
      await account.moveTo(there());
      expect(await waiting).toEqual({ kind: 'cancelled' });
      around.secrets.values.set('github-token', `${other.github.url.host} ${githubToken}`);
      const opened = gate();
      const get = around.secrets.get.bind(around.secrets);
      around.secrets.get = async (name) => {
        await opened.opened;
        return get(name);
      };
      const looking = account.load();
      const moving = account.moveTo(around.parts.github);
      opened.open();
      await Promise.all([looking, moving]);
      expect(account.state()).toMatchObject({ kind: 'signed-out' });
    },
  );

  it('an entry without a host is GitHub’s own: no company’s host gets it', async () => {
    const dialed: string[] = [];
    const dialer = {
      dial: (request: { url: URL }) => {
        dialed.push(request.url.host);
        return Promise.reject(new Error('no network'));
      },
      close: () => undefined,
    };
    around.secrets.values.set('github-token', githubToken);
    const at = async (web: string, api: string) => {
      const account = new Account({ ...around.parts, dialer, github: { web: new URL(web), api: new URL(api) } });
      await account.load();
      return account.state().kind;
    };
    expect(await at('https://octo.ghe.com', 'https://api.octo.ghe.com')).toBe('signed-out');
    expect(dialed).toEqual([]);
    expect(await at('https://github.com', 'https://api.github.com')).toBe('signed-in');
  });

  describe('under the same name with another API', () => {
    const github = (web: string, api: string) => ({ web: new URL(web), api: new URL(api) });
    const own = github('https://github.com', 'https://api.github.com');
    const forged = github('https://github.com', 'https://evil.example');
    const octo = github('https://octo.ghe.com', 'https://api.octo.ghe.com');
    const strange = github('https://git.example', 'https://api.example/rest');

    it.each([
      ['as it is stored for GitHub', own, `github.com ${githubToken}`],
      ['as it is stored for a company', octo, `octo.ghe.com ${githubToken}`],
      ['with an API of another name', strange, `git.example api.example ${githubToken}`],
      ['with a forged one', forged, `github.com evil.example ${githubToken}`],
    ])('a token lies in the store with what it is shown to: %s', (_what, hosts, entry) => {
      expect(storedToken(hosts, githubToken)).toBe(entry);
      expect(readStored(hosts, entry)).toEqual({ kind: 'token', token: githubToken });
      for (const other of [own, forged, octo, strange, github('https://git.example', 'https://other.example')]) {
        if (other !== hosts) expect(readStored(other, entry)).toMatchObject({ kind: 'other-hosts' });
      }
    });

    it('gets no token that was stored before for the usual one, and no host there is asked', async () => {
      const dialed: string[] = [];
      const dialer = {
        dial: (request: { url: URL }) => {
          dialed.push(request.url.host);
          return Promise.reject(new Error('no network'));
        },
        close: () => undefined,
      };
      for (const entry of [githubToken, `github.com ${githubToken}`]) {
        around.secrets.values.set('github-token', entry);
        const account = new Account({ ...around.parts, dialer, github: forged });
        const reported = await trouble(account.token());
        expect(reported).toMatchObject({
          kind: 'signed-out',
          message:
            'Not signed in to github.com with the API at evil.example: the stored sign-in is for github.com ' +
            'and is shown to no other host.',
          remedy:
            'Look at JUMPSEAT_GITHUB_URL, JUMPSEAT_GITHUB_API_URL and the host in Settings, or run "jumpseat ' +
            'login" to sign in there instead.',
        });
        expect(account.state()).toEqual({
          kind: 'signed-out',
          why: { text: reported.message, remedy: reported.remedy },
        });
        await account.readUser();
        // It is still there for who may have it.
        expect(around.secrets.values.get('github-token')).toBe(entry);
        const rightful = new Account({ ...around.parts, dialer, github: own });
        await rightful.load();
        expect(rightful.state().kind).toBe('signed-in');
      }
      expect(dialed).toEqual([]);
    });
  });

  it('a token from outside stays with the host it came with', async () => {
    const account = new Account({ ...around.parts, githubToken });
    await account.moveTo(there());
    await account.token();
    expect([mints(), other.github.seen.length]).toEqual([1, 0]);
  });
});
