import type { DeviceCode } from '../api/account.ts';
import { type JsonObject, parseObject } from '../formats/wire/json.ts';
import { t } from '../language/translate.ts';
import { type Clock, type Dialer, type DialRequest, type Log, NetworkError } from '../ports.ts';
import { addressUnder, type GithubAddresses } from '../settings/github-addresses.ts';
import { asNumber, asText, readBody, readRetryAfter } from './read-response.ts';

/** VS Code's Copilot client: its `ghu_` tokens can be exchanged for Copilot tokens. */
export const defaultClientId = 'Iv1.b507a08c87ecfe98';
export const defaultScope = 'read:user';

interface DeviceFlowDependencies {
  dialer: Dialer;
  clock: Clock;
  log: Log;
  github: GithubAddresses;
  clientId: string;
  scope: string;
}

type DeviceFlowEnd =
  | { kind: 'granted'; githubToken: string }
  | { kind: 'denied' }
  | { kind: 'expired' }
  | { kind: 'cancelled' }
  | { kind: 'failed'; text: string; remedy: string };

const usualIntervalSeconds = 5;
const usualLifeSeconds = 900;
const headTimeoutMs = 30_000;
const bodyDeadlineMs = 15_000;
const bodyLimit = 1024 * 1024;

/**
 * One device flow from its start to its one end. Polls at GitHub's interval and never again after an answer that
 * decides it; a lost network or a 5xx is waited out until the code expires. Never rejects.
 * @param signal ends it at once with `cancelled`.
 */
export async function runDeviceFlow(
  dependencies: DeviceFlowDependencies,
  shown: (code: DeviceCode) => void,
  signal: AbortSignal,
): Promise<DeviceFlowEnd> {
  try {
    const started = await start(dependencies, signal);
    if (started.kind === 'failed') return started;
    shown(started.shown);
    return await poll(dependencies, started, signal);
  } catch (error) {
    if (signal.aborted) return { kind: 'cancelled' };
    throw error;
  }
}

interface Started {
  kind: 'started';
  deviceCode: string;
  intervalSeconds: number;
  shown: DeviceCode;
}

type Failed = Extract<DeviceFlowEnd, { kind: 'failed' }>;

async function start(dependencies: DeviceFlowDependencies, signal: AbortSignal): Promise<Started | Failed> {
  const { github, clock } = dependencies;
  const asked = clock.now();
  const answer = await post(
    dependencies,
    '/login/device/code',
    { client_id: dependencies.clientId, scope: dependencies.scope },
    signal,
  );
  if (answer.kind === 'lost') {
    return failed(
      t('No connection to {host}, because {reason}.', { host: github.web.host, reason: answer.reason }),
      t('Check the network, and a proxy if there is one, then sign in again.'),
    );
  }
  const { json, status } = answer;
  const deviceCode = asText(json?.device_code);
  const userCode = asText(json?.user_code);
  if (!json || !deviceCode || !userCode) {
    const said = json && (asText(json.error_description) ?? asText(json.error) ?? asText(json.message));
    return failed(
      t('{host} sent no sign-in code (status {status}).', {
        host: github.web.host,
        status: said ? `${status}: ${said}` : status,
      }),
      status === 404
        ? t('Check the address of GitHub and the client id in the settings.')
        : t('Wait a moment, then sign in again.'),
    );
  }
  return {
    kind: 'started',
    deviceCode,
    intervalSeconds: positive(json.interval) ?? usualIntervalSeconds,
    shown: {
      userCode,
      verificationUri: verificationAddress(asText(json.verification_uri), github),
      expiresAt: asked + (positive(json.expires_in) ?? usualLifeSeconds) * 1000,
    },
  };
}

async function poll(
  dependencies: DeviceFlowDependencies,
  started: Started,
  signal: AbortSignal,
): Promise<DeviceFlowEnd> {
  const { clock, log } = dependencies;
  const { expiresAt } = started.shown;
  let { intervalSeconds } = started;
  let lost = 0;
  for (;;) {
    const left = expiresAt - clock.now();
    if (left > 0) await clock.sleep(Math.min(intervalSeconds * 1000, left), signal);
    if (signal.aborted) return { kind: 'cancelled' };
    if (clock.now() >= expiresAt) return { kind: 'expired' };
    const answer = await post(
      dependencies,
      '/login/oauth/access_token',
      {
        client_id: dependencies.clientId,
        device_code: started.deviceCode,
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      },
      signal,
    );
    if (answer.kind === 'lost' || answer.status >= 500 || !answer.json) {
      lost += 1;
      log.write('warn', 'sign-in.poll-lost', {
        count: lost,
        reason: answer.kind === 'lost' ? answer.reason : `status ${answer.status}`,
      });
      continue;
    }
    const verdict = judge(answer.json, answer);
    if (verdict.kind === 'slower') {
      intervalSeconds = Math.max(
        intervalSeconds,
        verdict.intervalSeconds ?? intervalSeconds + 5,
        answer.waitSeconds ?? 0,
      );
    } else if (verdict.kind !== 'pending') {
      return verdict;
    }
  }
}

type Verdict = DeviceFlowEnd | { kind: 'pending' } | { kind: 'slower'; intervalSeconds: number | null };

/** GitHub answers a poll with status 200 in every case; what it means is in the body. */
function judge(json: JsonObject, { status, waitSeconds }: { status: number; waitSeconds: number | null }): Verdict {
  const githubToken = asText(json.access_token);
  if (githubToken) return { kind: 'granted', githubToken };
  const error = asText(json.error);
  switch (error) {
    case 'authorization_pending':
      return { kind: 'pending' };
    case 'slow_down':
      return { kind: 'slower', intervalSeconds: positive(json.interval) };
    case 'expired_token':
      return { kind: 'expired' };
    case 'access_denied':
      return { kind: 'denied' };
  }
  if (status === 429 || (status === 403 && waitSeconds !== null)) return { kind: 'slower', intervalSeconds: null };
  const said = asText(json.error_description) ?? asText(json.message) ?? error ?? `status ${status}`;
  return failed(
    t('GitHub ended the sign-in: {said}', { said }),
    error === 'incorrect_client_credentials' || error === 'device_flow_disabled'
      ? t('Check the client id in the settings.')
      : t('Sign in again.'),
  );
}

type Answer =
  | { kind: 'answer'; status: number; json: JsonObject | null; waitSeconds: number | null }
  | { kind: 'lost'; reason: string };

/** Rejects with the signal's reason alone. */
async function post(
  dependencies: DeviceFlowDependencies,
  path: string,
  fields: Record<string, string>,
  signal: AbortSignal,
): Promise<Answer> {
  const request: DialRequest = {
    url: addressUnder(dependencies.github.web, path),
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
    signal,
    headTimeoutMs,
  };
  try {
    const { response } = await dependencies.dialer.dial(request);
    const body = await readBody(response, bodyLimit, bodyDeadlineMs);
    signal.throwIfAborted();
    if (body.kind === 'cut') return { kind: 'lost', reason: 'the answer broke off' };
    return {
      kind: 'answer',
      status: response.statusCode ?? 0,
      json: parseObject(body.text),
      waitSeconds: readRetryAfter(response.headers, dependencies.clock.now()),
    };
  } catch (error) {
    if (error instanceof NetworkError && !signal.aborted) return { kind: 'lost', reason: error.message };
    throw error;
  }
}

/** The address is opened in a browser: only one on GitHub's own host is taken from the answer. */
function verificationAddress(given: string | null, github: GithubAddresses): string {
  if (given && URL.canParse(given) && new URL(given).origin === github.web.origin) return given;
  return addressUnder(github.web, '/login/device').href;
}

function positive(value: unknown): number | null {
  const number = asNumber(value);
  return number !== null && number > 0 ? number : null;
}

function failed(text: string, remedy: string): Failed {
  return { kind: 'failed', text, remedy };
}
