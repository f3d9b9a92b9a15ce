import type { IncomingHttpHeaders } from 'node:http';
import { type JsonObject, parseObject } from '../formats/wire/json.ts';
import { t } from '../language/translate.ts';
import { type Clock, type Dialer, type HideSecret, NetworkError, type Redact } from '../ports.ts';
import { addressUnder, type GithubAddresses, isAllowedAddress } from '../settings/github-addresses.ts';
import { type Admission, copilotHeaders } from './access.ts';
import { AccountError, readNotice, type SignInPlace, signInAgain } from './account-error.ts';
import { asNumber, asText, readBody, readRetryAfter } from './read-response.ts';
import { type CopilotUser, readUser } from './user.ts';
import { githubHeaders, type Identity } from './vscode-identity.ts';

interface VscodeAdmissionDependencies {
  dialer: Dialer;
  clock: Clock;
  github: GithubAddresses;
  /** Shared: a changed setting holds from the next request on. */
  identity: Identity;
  redact: Redact;
  hideSecret: HideSecret;
  place(): SignInPlace;
}

/** The way of VS Code: its app's token is exchanged for Copilot tokens, and its versions go with every request. */
export function vscodeAdmission(dependencies: VscodeAdmissionDependencies, githubToken: string): Admission {
  const { identity, hideSecret } = dependencies;
  return {
    async obtain() {
      const { value, mintedAt, ...token } = await mintCopilotToken(dependencies, githubToken);
      hideSecret(value, 'passing');
      return {
        ...token,
        authorization: `Bearer ${value}`,
        identity: copilotHeaders.bind(null, identity),
        obtainedAt: mintedAt,
      };
    },
    readUser: () => fetchUser(dependencies, githubToken),
    // GitHub has it for its own clients alone: asking for it would borrow one right more.
    auto: null,
  };
}

/** A Copilot token and the host that takes it. `value` is opaque and is sent to the host of `apiBase` alone. */
interface CopilotToken {
  value: string;
  /** `endpoints.api` of the token answer. */
  apiBase: URL;
  /** ms since the epoch, by our clock. */
  mintedAt: number;
  /** Time by our clock: the service's own expiry is not compared with a clock that may be wrong. */
  usableUntil: number;
  sku: string | null;
}

const graceMs = 60_000;
const usualRefreshSeconds = 1500;
const bodyLimit = 1024 * 1024;
const timeoutMs = 30_000;

/** Exchanges the GitHub token for a Copilot token. Rejects with `AccountError`. */
async function mintCopilotToken(dependencies: VscodeAdmissionDependencies, githubToken: string): Promise<CopilotToken> {
  const url = addressUnder(dependencies.github.api, '/copilot_internal/v2/token');
  const answer = await ask(dependencies, url, githubToken);
  if (answer.status !== 200 || answer.json?.error_details) throw refusal(answer, url.host, dependencies);
  return readToken(answer, url.host, dependencies.clock.now());
}

interface MintAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  json: JsonObject | null;
  text: string;
  now: number;
}

async function ask(dependencies: VscodeAdmissionDependencies, url: URL, githubToken: string): Promise<MintAnswer> {
  try {
    const { response } = await dependencies.dialer.dial({
      url,
      method: 'GET',
      headers: githubHeaders(dependencies.identity, githubToken),
      headTimeoutMs: timeoutMs,
    });
    const body = await readBody(response, bodyLimit, timeoutMs);
    if (body.kind === 'cut') throw new NetworkError(url.host, 'ECONNRESET', 'the answer broke off');
    const status = response.statusCode ?? 0;
    return {
      status,
      headers: response.headers,
      json: parseObject(body.text),
      text: body.text,
      now: dependencies.clock.now(),
    };
  } catch (error) {
    if (error instanceof NetworkError) throw unreachable(error);
    throw error;
  }
}

/** Any other character is invalid in a header, and every request would fail. */
const tokenForm = /^[!-~]+$/;

function readToken({ json, status }: MintAnswer, host: string, now: number): CopilotToken {
  const value = asText(json?.token);
  if (!json || !value || !tokenForm.test(value)) {
    throw new AccountError(
      'broken',
      value
        ? t('{host} answered with a Copilot token that can’t be used.', { host })
        : t('{host} answered without a Copilot token.', { host }),
      t(
        'If a company proxy or a sign-in page of the network answered, allow the connection there. If not, wait a moment.',
      ),
      { status, host },
    );
  }
  return {
    value,
    apiBase: readApiBase(json, host),
    mintedAt: now,
    usableUntil: now + Math.max(0, asNumber(json.refresh_in) ?? usualRefreshSeconds) * 1000 + graceMs,
    sku: asText(json.sku),
  };
}

function readApiBase(json: JsonObject, host: string): URL {
  const endpoints = json.endpoints;
  const address =
    typeof endpoints === 'object' && endpoints !== null && 'api' in endpoints ? asText(endpoints.api) : null;
  if (address && URL.canParse(address)) {
    const url = new URL(address);
    if (isAllowedAddress(url)) return url;
  }
  throw new AccountError(
    'broken',
    address
      ? t('{host} named an address that may not be used for Copilot.', { host })
      : t('{host} named no address for Copilot.', { host }),
    t('The token is sent nowhere. Check that the address of GitHub in the settings is the right one.'),
    { status: 200, host },
  );
}

function unreachable(error: NetworkError): AccountError {
  return new AccountError(
    'network',
    error.message,
    t('Check the network; {host} has to be reachable.', { host: error.host }),
    {
      host: error.host,
      code: error.code,
    },
  );
}

/**
 * Which kind of refusal it is: a rate limit must not look like a missing sign-in, nor a server error like a refusal.
 */
function refusal(
  answer: MintAnswer,
  host: string,
  { redact, place }: Pick<VscodeAdmissionDependencies, 'redact' | 'place'>,
): AccountError {
  const { status, json } = answer;
  const notice = json && readNotice(json, redact);
  const message = asText(json?.message);
  const said = message === null ? null : redact(message);
  const facts = { status, notice, host };
  if (notice) {
    return new AccountError(
      'refused',
      said ?? notice.title,
      notice.url ? `See ${notice.url}` : signInAgain(place()),
      facts,
    );
  }
  if (isRateLimit(answer)) {
    const retryAfterSeconds = readRetryAfter(answer.headers, answer.now) ?? readResetWait(answer);
    return new AccountError(
      'rate-limited',
      t('GitHub limits how often a Copilot token may be asked for, and the limit is reached.'),
      t('Wait; the sign-in itself is fine.'),
      { ...facts, retryAfterSeconds },
    );
  }
  if (status === 401) {
    return new AccountError('refused', t('GitHub refuses the sign-in.'), signInAgain(place()), facts);
  }
  if (status === 403 || status === 404) {
    return new AccountError(
      'refused',
      t('GitHub issues this account no Copilot token (status {status}).', { status: statusWords(status, said) }),
      t('Check at github.com/settings/copilot that the account has Copilot, then sign in again.'),
      facts,
    );
  }
  return new AccountError(
    'broken',
    t('{host} returned no Copilot token (status {status}).', { host, status: statusWords(status, said) }),
    t('Wait a moment; githubstatus.com says whether GitHub has trouble.'),
    facts,
  );
}

const statusWords = (status: number, said: string | null): string => (said ? `${status}: ${said}` : String(status));

function isRateLimit({ status, headers, text }: MintAnswer): boolean {
  if (status === 429) return true;
  return status === 403 && (headers['x-ratelimit-remaining'] === '0' || /rate limit/i.test(text));
}

/** GitHub's REST limits name the second at which they end. */
function readResetWait({ headers, now }: MintAnswer): number | null {
  const reset = Number(headers['x-ratelimit-reset']);
  if (!Number.isFinite(reset) || reset <= 0) return null;
  const date = headers.date ? Date.parse(headers.date) : Number.NaN;
  return Math.max(0, Math.ceil(reset - (Number.isNaN(date) ? now : date) / 1000));
}

const userTimeoutMs = 15_000;

/** `GET /copilot_internal/user`. Rejects with `NetworkError`, or with an error that names the status. */
async function fetchUser(dependencies: VscodeAdmissionDependencies, githubToken: string): Promise<CopilotUser> {
  const { response } = await dependencies.dialer.dial({
    url: addressUnder(dependencies.github.api, '/copilot_internal/user'),
    method: 'GET',
    headers: githubHeaders(dependencies.identity, githubToken),
    headTimeoutMs: userTimeoutMs,
  });
  const body = await readBody(response, bodyLimit, userTimeoutMs);
  const json = body.kind === 'whole' && response.statusCode === 200 ? parseObject(body.text) : null;
  if (!json) throw new Error(`GitHub reported nothing about the account (status ${response.statusCode ?? 0})`);
  return readUser(json, dependencies.clock.now());
}
