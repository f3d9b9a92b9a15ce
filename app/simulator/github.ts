import { asObject, asText } from './json.ts';
import { freeQuota, quotaSnapshots } from './quota.ts';
import type { RecordedRequest } from './record.ts';
import type { Refusal } from './refusal.ts';
import { fakeOwnAppToken, type Stage } from './stage.ts';

const json = 'application/json';
/** Every other app gets tokens of its own. */
const vscodeClientId = 'Iv1.b507a08c87ecfe98';

/** github.com: the device flow and its page. */
export function answerGithub(stage: Stage, request: RecordedRequest): Refusal {
  const { method, path } = request;
  if (method === 'POST' && path === '/login/device/code') return startDeviceFlow(stage, request);
  if (method === 'POST' && path === '/login/oauth/access_token') return pollDeviceFlow(stage, request);
  if (method === 'GET' && path === '/login/device') return page(null);
  if (method === 'POST' && path === '/login/device') return decide(stage, request);
  return { status: 404, body: 'Not Found' };
}

function startDeviceFlow(stage: Stage, request: RecordedRequest): Refusal {
  const fields = asObject(request.body);
  if (asText(fields.client_id) === null) return { status: 404, body: { error: 'Not Found' } };
  return inAskedForm(request, stage.deviceCodes.start(stage.webUrl));
}

function pollDeviceFlow(stage: Stage, request: RecordedRequest): Refusal {
  const fields = asObject(request.body);
  if (asText(fields.client_id) === null) return { status: 404, body: { error: 'Not Found' } };
  if (fields.grant_type !== 'urn:ietf:params:oauth:grant-type:device_code') {
    return inAskedForm(request, {
      error: 'unsupported_grant_type',
      error_description: 'The grant type is not supported.',
      error_uri: 'https://docs.github.com/developers/apps/authorizing-oauth-apps#error-codes-for-the-device-flow',
    });
  }
  const answer = stage.deviceCodes.poll(asText(fields.device_code), 'read:user');
  const isVscode = fields.client_id === vscodeClientId || !('access_token' in answer);
  return inAskedForm(request, isVscode ? answer : { ...answer, access_token: stage.given(fakeOwnAppToken) });
}

/** JSON only where it was asked for: without `Accept: application/json` GitHub answers as a form. */
function inAskedForm(request: RecordedRequest, answer: object): Refusal {
  if ((request.headers.accept ?? '').includes(json)) return { status: 200, body: answer };
  const fields = Object.entries(answer).map(([key, value]) => [key, String(value)] satisfies [string, string]);
  return {
    status: 200,
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    body: new URLSearchParams(fields).toString(),
  };
}

function decide(stage: Stage, request: RecordedRequest): Refusal {
  const fields = asObject(request.body);
  const code = asText(fields.user_code) ?? '';
  const verdict = fields.decision === 'cancel' ? 'denied' : 'approved';
  if (code.trim() === '' || !stage.deviceCodes.decide(code, verdict)) return page('unknown');
  return page(verdict);
}

function page(note: PageNote): Refusal {
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: devicePage(note) };
}

/** api.github.com: the Copilot token and what the person has. */
export function answerGithubApi(stage: Stage, request: RecordedRequest): Refusal {
  const route = `${request.method} ${request.path}`;
  if (route !== 'GET /copilot_internal/v2/token' && route !== 'GET /copilot_internal/user') {
    return { status: 404, body: { message: 'Not Found', status: '404' } };
  }
  if (request.headers['user-agent'] === undefined) {
    return { status: 403, body: 'Request forbidden by administrative rules. There is no User-Agent header.' };
  }
  // VS Code's extension says `token`, its window `Bearer`.
  const isKnown = /^(token|bearer) <(github|own|own-app)-token>$/i.exec(request.headers.authorization ?? '');
  if (isKnown === null) return badCredentials;
  // Copilot tokens are for the app of an editor alone.
  if (request.path.endsWith('/token') && isKnown[2] !== 'github') return noMint;
  return request.path.endsWith('/token') ? mint(stage) : user(stage);
}

const noMint: Refusal = {
  status: 404,
  body: { message: 'Not Found', documentation_url: 'https://docs.github.com/rest', status: '404' },
};

const badCredentials: Refusal = {
  status: 401,
  body: { message: 'Bad credentials', documentation_url: 'https://docs.github.com/rest', status: '401' },
};

function mint(stage: Stage): Refusal {
  if (typeof stage.mintRefusal === 'string') return mintRefusal(stage, stage.mintRefusal);
  if (stage.mintRefusal !== null) return stage.mintRefusal;
  const refreshIn = stage.options.tokenRefreshIn;
  const token = stage.tokens.mint(stage.copilotUrl, stage.user.sku, refreshIn);
  return {
    status: 200,
    body: {
      annotations_enabled: true,
      chat_enabled: true,
      chat_jetbrains_enabled: true,
      code_quote_enabled: true,
      code_review_enabled: false,
      codesearch: true,
      copilotignore_enabled: false,
      endpoints: {
        api: stage.copilotUrl,
        'origin-tracker': 'https://origin-tracker.simulated.invalid',
        proxy: 'https://proxy.simulated.invalid',
        telemetry: 'https://telemetry.simulated.invalid',
      },
      expires_at: Math.floor(token.expiresAt / 1000),
      individual: true,
      limited_user_quotas: null,
      limited_user_reset_date: null,
      nes_enabled: false,
      prompt_8k: true,
      public_suggestions: 'disabled',
      refresh_in: refreshIn,
      sku: stage.user.sku,
      snippy_load_test_enabled: false,
      telemetry: 'disabled',
      token: token.value,
      tracking_id: 'simulated',
      xcode: true,
      xcode_chat: true,
    },
  };
}

/** GitHub's reasons for refusing a token, with words in its manner. */
const mintReasons: Record<string, { title: string; message: string; path: string }> = {
  no_copilot_access: { title: 'No Copilot access', message: 'No access to GitHub Copilot found.', path: 'copilot' },
  not_signed_up: {
    title: 'Sign up for Copilot',
    message: 'You are not signed up for GitHub Copilot.',
    path: 'copilot',
  },
  subscription_ended: {
    title: 'Subscription ended',
    message: 'Your GitHub Copilot subscription has ended.',
    path: 'settings/copilot',
  },
  feature_flag_blocked: {
    title: 'Not available',
    message: 'Copilot is not available to you.',
    path: 'settings/copilot',
  },
  spammy_user: { title: 'Contact Support', message: 'Contact Support.', path: 'contact' },
  billing_locked: { title: 'Billing locked', message: 'Your billing is locked.', path: 'settings/billing' },
  trade_restricted: { title: 'Restricted', message: 'Your account is restricted.', path: 'settings' },
  access_revoked: { title: 'Access revoked', message: 'Your access was revoked.', path: 'settings/copilot' },
  programmatic_token_generation: {
    title: 'Unsupported client',
    message: 'Tokens may not be made by this client.',
    path: 'settings/copilot',
  },
};

/** Sample: `error-403-copilot-token-spammy_user`. */
function mintRefusal(stage: Stage, id: string): Refusal {
  const reason = mintReasons[id] ?? { title: id, message: id, path: 'settings/copilot' };
  const canSignUp = id === 'no_copilot_access' || id === 'not_signed_up';
  return {
    status: 403,
    body: {
      ...(canSignUp ? { can_signup_for_limited: false } : {}),
      error_details: {
        url: `https://github.com/${reason.path}?editor={EDITOR}`,
        message: `${reason.message} You are currently logged in as ${stage.user.login}.`,
        title: reason.title,
        notification_id: id,
      },
      message: 'Resource not accessible by integration',
    },
  };
}

function user(stage: Stage): Refusal {
  const { user } = stage;
  return {
    status: 200,
    body: {
      access_type_sku: user.sku,
      analytics_tracking_id: 'simulated',
      chat_enabled: true,
      copilot_plan: user.plan,
      endpoints: { api: stage.otherHost ?? stage.copilotUrl },
      login: user.login,
      organization_login_list: [],
      quota_reset_date: user.resetDate.slice(0, 10),
      quota_reset_date_utc: user.resetDate,
      ...(user.countsChats ? freeQuota(user) : { quota_snapshots: quotaSnapshots(user) }),
      token_based_billing: user.tokenBased,
    },
  };
}

/** What the page says above its form. */
type PageNote = 'approved' | 'denied' | 'unknown' | null;

const notes: Record<Exclude<PageNote, null>, string> = {
  approved: 'Approved. You can close this page and go back.',
  denied: 'Cancelled. Nothing was allowed.',
  unknown: 'There is no sign-in under way with this code. Look at it again.',
};

/** Where a person types the code in the demo. It says loudly that this is not GitHub. */
function devicePage(note: PageNote): string {
  const said = note === null ? '' : `<p role="status"><strong>${notes[note]}</strong></p>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Simulated sign-in</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 28rem; margin: 4rem auto; padding: 0 1rem }
body { color-scheme: light dark }
input { font: 600 1.5rem ui-monospace, monospace; letter-spacing: .1em; text-transform: uppercase }
input { width: 100%; box-sizing: border-box; padding: .5rem }
button { font: inherit; padding: .4rem 1rem; margin: 1rem .5rem 0 0 }
</style>
<h1>Simulated sign-in</h1>
<p>This page belongs to the simulator on your own machine. It is not GitHub and no account is involved.</p>
${said}
<form method="post" action="/login/device">
<label>Code <input name="user_code" placeholder="ABCD-EFGH" autocomplete="off" autofocus></label>
<button name="decision" value="approve">Approve</button>
<button name="decision" value="cancel">Cancel</button>
</form>
</html>
`;
}
