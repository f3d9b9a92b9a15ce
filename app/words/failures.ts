import type { Exchange, Failure } from '../api/exchange.ts';
import type { TurnFacts } from '../api/sessions.ts';
import { type Message, msg } from '../language/messages.ts';
import { sentences } from '../language/sentences.ts';
import { t, translated } from '../language/translate.ts';
import { answeredWords, isFailedAfterHeaders } from './exchange-cells.ts';
import { exact, grouped } from './numbers.ts';

/**
 * What a failure was, in a sentence whose every word is ours: it is kept, exported and logged, and what the
 * other side said may quote the request. Its own words are with the recorded bodies, where these are wanted.
 */
export function failureWords({ source, status, code }: Pick<Failure, 'source' | 'status' | 'code'>): string {
  switch (source) {
    case 'network':
      return networkWords(code);
    case 'client':
      return t('The client disconnected before the end of the answer.');
    case 'github':
      return (
        githubWords[code] ??
        (status === null
          ? t('GitHub sent no token for Copilot.')
          : t('GitHub sent no token for Copilot (status {status}).', { status }))
      );
    case 'jumpseat':
      return ownWords[code] ?? notSentWords(copilotWords[code]);
    case 'vscode':
      return (
        vscodeWords[code] ??
        copilotWords[code] ??
        t('VS Code’s request to Copilot failed (status {status}).', { status: String(status) })
      );
    case 'copilot':
      return copilotWords[code] ?? statusWords(status);
  }
}

const networkReasons: Readonly<Record<string, Message>> = {
  ENOTFOUND: msg('Its name could not be found.'),
  EAI_AGAIN: msg('Its name could not be looked up.'),
  ECONNREFUSED: msg('The connection was refused.'),
  ECONNRESET: msg('The connection was closed before an answer came.'),
  ETIMEDOUT: msg('The connection could not be made in time.'),
  TIMEOUT: msg('No answer came in time.'),
  EHOSTUNREACH: msg('There is no way to it from this network.'),
  ENETUNREACH: msg('There is no network.'),
  ERR_PAC: msg('The PAC script can’t be used.'),
  ERR_PROXY_TUNNEL: msg('The proxy in between refused the connection.'),
};

/** The same, where it has to be said that there was no connection. */
const noConnections: Readonly<Record<string, Message>> = {
  ENOTFOUND: msg('No connection: its name could not be found.'),
  EAI_AGAIN: msg('No connection: its name could not be looked up.'),
  ECONNREFUSED: msg('No connection: the connection was refused.'),
  ECONNRESET: msg('No connection: the connection was closed before an answer came.'),
  ETIMEDOUT: msg('No connection: the connection could not be made in time.'),
  TIMEOUT: msg('No connection: no answer came in time.'),
  EHOSTUNREACH: msg('No connection: there is no way to it from this network.'),
  ENETUNREACH: msg('No connection: there is no network.'),
  ERR_PAC: msg('No connection: the PAC script can’t be used.'),
  ERR_PROXY_TUNNEL: msg('No connection: the proxy in between refused the connection.'),
};

function networkWords(code: string): string {
  if (code === 'no-answer') return t('Copilot didn’t answer in time. The model may have worked on the request.');
  if (code === 'cut') return t('The connection broke in the middle of Copilot’s answer.');
  const why = noConnections[code];
  if (why !== undefined) return why;
  return code === 'network' || code === 'UNKNOWN' ? t('No connection.') : t('No connection ({code}).', { code });
}

/** Why there was none, in a sentence; null if the code has no words. */
export function networkReason(code: string): string | null {
  const reason = networkReasons[code];
  return reason === undefined ? null : translated(reason);
}

const githubWords: Readonly<Record<string, string>> = {
  signed_out: msg('Nobody was signed in to GitHub.'),
  tokens_refused: msg('Copilot refuses the tokens that GitHub currently issues.'),
  rate_limited: msg('GitHub limits how often a token for Copilot may be asked for.'),
  broken: msg('No token for Copilot could be had.'),
};

const ownWords: Readonly<Record<string, string>> = {
  invalid_body: msg('The API doesn’t accept this body.'),
  invalid_type: msg('The API doesn’t accept a field of the request.'),
  unsupported_parameter: msg('A field of the request means something that can’t be done here.'),
  'malformed-request': msg('The request had a shape that this API doesn’t know.'),
  'too-deep': msg('The body was nested too deeply.'),
  'model-missing': msg('Copilot has no model of this name for this account.'),
  'rule-model': msg('One of your rules names a model that Copilot doesn’t have for this account.'),
  'rule-model-not-allowed': msg('One of your rules names a model that your organization or your settings don’t allow.'),
  'model-not-allowed': msg('Your organization or your settings don’t allow this model.'),
  'model-disabled': msg('This model is off for this account.'),
  'path-not-spoken': msg('Copilot serves this model through no API that this request can use.'),
  'too-many-at-once': msg('This client had too many requests at once.'),
  'held-back': msg('A limit of yours held it back.'),
  'policy-broken': msg('Your organization’s policy can’t be used, so that nothing is sent.'),
  'no-answer': msg('The client repeated a request that Copilot had not answered; it was not sent again.'),
  'too-many-tools': msg('The request has more tools than the model accepts.'),
  'url-source-refused': msg('It links an image or a document by address, which Copilot doesn’t accept.'),
  'pdf-refused': msg('It had a PDF, which this model doesn’t read.'),
  'document-refused': msg('It had a document, which this model doesn’t read.'),
  'image-too-large': msg('It had an image that is too large for this model.'),
  'server-tool-refused': msg('It asked for a tool that runs at Anthropic, which Copilot doesn’t have.'),
  'safeguards-refused': msg(
    'Claude Code asked the API to check its tool calls, which Copilot doesn’t do. It sends the prompt again and checks ' +
      'them itself.',
  ),
  'search-signed-out': msg('Not signed in to GitHub, or GitHub refuses the sign-in: nothing was searched.'),
  'search-unavailable': msg('The search engine couldn’t be used.'),
  'search-too_many_requests': msg('The search engine allows no more searches now.'),
  'search-invalid_tool_input': msg('The search engine refused the query.'),
  'search-query_too_long': msg('The query is too long for the search engine.'),
  'search-request_too_large': msg('The request is too large for the search engine.'),
  'page-not-read': msg('The page couldn’t be read.'),
  'page-refused': msg('The address leads into a private network or to this machine.'),
  stopped: msg('Jumpseat or its proxy was turned off while this ran.'),
  internal: msg('A fault in Jumpseat. Its log says where it failed.'),
};

/** Words of Jumpseat's extension in VS Code. */
const vscodeWords: Readonly<Record<string, string>> = {
  no_window: msg('No window of VS Code served it; nothing was sent.'),
  window_closed: msg('The window of VS Code that served it closed.'),
  no_answer: msg('VS Code didn’t answer in time.'),
  consent_required: msg('Nobody had allowed Jumpseat’s extension in VS Code to use Copilot.'),
  copilot_unavailable: msg('VS Code offered no model of Copilot’s.'),
  model_not_found: msg('VS Code offers no such model.'),
  rate_limited: msg('A limit of Copilot’s is reached, VS Code says.'),
  blocked: msg('VS Code has blocked the extension for some minutes.'),
  too_many_at_once: msg('Too many requests ran in VS Code at once.'),
};

/** Held back here, because Copilot has said why before. */
function notSentWords(why: string | undefined): string {
  return why === undefined
    ? t('Jumpseat refused this request; it was not sent to Copilot.')
    : t('Not sent to Copilot: {why}', { why });
}

/** Codes of Copilot's that say more than the status. */
const copilotWords: Readonly<Record<string, string>> = {
  cut: msg('Copilot’s answer ended early.'),
  'error-event': msg('Copilot broke its answer off with an error.'),
  redirect: msg('Copilot answered with a redirect, which is never followed.'),
  malformed_catalog: msg('Copilot’s list of models could not be read.'),
  catalog_too_large: msg('Copilot’s list of models is too large.'),
  model_not_supported: msg('Copilot doesn’t serve this model to this account.'),
  model_max_prompt_tokens_exceeded: msg('The prompt is too long for this model.'),
  context_length_exceeded: msg('The prompt is too long for this model.'),
  invalid_reasoning_effort: msg('The model doesn’t support the requested effort.'),
  content_filter: msg('Copilot’s content filter stopped it.'),
  user_request_timeout: msg('Copilot waited too long for the request.'),
  user_weekly_rate_limited: msg('Copilot’s weekly limit is reached.'),
  user_global_rate_limited: msg('Copilot’s limit for this account is reached.'),
  user_model_rate_limited: msg('Copilot’s limit for this model is reached.'),
  integration_rate_limited: msg('Copilot’s limit for this kind of client is reached.'),
  agent_mode_limit_exceeded: msg('Copilot’s limit for agents is reached.'),
  upstream_provider_rate_limit: msg('The provider behind Copilot is at its limit.'),
  extension_blocked: msg('Copilot has blocked this client for now.'),
  model_overloaded: msg('The model is overloaded at Copilot.'),
  overloaded_error: msg('The model is overloaded at Copilot.'),
  server_is_overloaded: msg('The model is overloaded at Copilot.'),
  quota_exceeded: msg('No Copilot credits are left.'),
};

function statusWords(status: number | null): string {
  switch (status) {
    case 200:
      return t('Copilot broke its answer off with an error.');
    case 400:
      return t('Copilot refused something in this request (status 400).');
    case 401:
      return t('Copilot refused the token (status 401).');
    case 402:
      return t('No Copilot credits are left.');
    case 403:
      return sentences(
        t('Copilot refused this for this account (status 403).'),
        t('Check at github.com/settings/copilot that Copilot and this model are on.'),
      );
    case 404:
      return t('Copilot has nothing at this address, or no such model (status 404).');
    case 408:
      return t('Copilot waited too long for the request.');
    case 413:
      return t('The request was too large for Copilot.');
    case 421:
      return t('The account moved to another host, and the new one refused it too.');
    case 422:
      return t('Copilot’s content filter stopped it (status 422).');
    case 429:
      return t('A limit of Copilot’s is reached (status 429).');
    case 466:
      return t('Copilot asks for a newer client.');
    case 503:
    case 529:
      return t('Copilot is overloaded (status {status}).', { status });
    default:
      return status === null ? t('No answer came.') : t('The answer was status {status}.', { status });
  }
}

/**
 * The status that the client got, where the answer that failed had another one: a 503 of Copilot’s is 529 to Claude
 * Code. Null where both are the same, or one of them is missing.
 */
export function otherStatusWords({ failure, status, outcome }: Pick<Exchange, 'failure' | 'status' | 'outcome'>) {
  const failed = failure?.status ?? null;
  if (failed === null || status === null || failed === status || isFailedAfterHeaders({ outcome, status })) return null;
  return answeredWords(String(status));
}

/** Why a turn failed: what happened, and what more is known of it. */
interface TurnFailureWords {
  what: string;
  why: string;
}

/**
 * What is said of a failure that has words of its own; null if its problem's text says all.
 * @param title the agent's: `Claude Code`
 */
export function turnFailureWords(code: string, facts: TurnFacts, title: string): TurnFailureWords | null {
  switch (code) {
    case 'no-connection':
      return { what: t('The connection to Copilot was lost.'), why: connectionWords(facts, title) };
    case 'cut':
      return { what: cutWords(facts), why: t('It isn’t known what it cost.') };
    case 'context-full':
      return { what: t('The conversation no longer fits.'), why: sizeWords(facts) };
    case 'token-limit':
      return { what: tokenLimitWords(facts), why: t('Everything before that is saved.') };
    case 'limit':
      return { what: limitWords(facts), why: '' };
    case 'declined':
      return { what: t('The model declined to answer.'), why: '' };
    case 'agent-ended':
      return { what: t('{title} stopped in the middle of this turn.', { title }), why: endWords(facts) };
    default:
      return null;
  }
}

/** The failure as one text, where only one can be shown. */
export function wholeFailure({ what, why }: TurnFailureWords): string {
  return sentences(what, why);
}

function connectionWords({ network, tries = 0 }: TurnFacts, title: string): string {
  const tried = t('{title} tried {tries, plural, one {once} other {# times}}.', { title, tries: Math.max(1, tries) });
  const reason = network === undefined ? null : networkReason(network);
  return sentences(reason ?? '', tried);
}

function cutWords({ tokens }: TurnFacts): string {
  return tokens === undefined
    ? t('The answer was cut.')
    : t('The answer was cut after {tokens, plural, one {# token} other {# tokens}}.', { tokens });
}

function tokenLimitWords({ most }: TurnFacts): string {
  return most === undefined
    ? t('The answer was cut at the token limit of one answer.')
    : t('The answer was cut at {most} tokens, the limit of one answer.', { most: grouped(most) });
}

function sizeWords({ tokens, most, model }: TurnFacts): string {
  if (tokens === undefined || most === undefined) return '';
  const sizes = { tokens: grouped(tokens), most: grouped(most) };
  return model === undefined
    ? t('{tokens} tokens; the model accepts {most}.', { tokens: sizes.tokens, most: sizes.most })
    : t('{tokens} tokens; {model} accepts {most}.', { tokens: sizes.tokens, most: sizes.most, model });
}

function limitWords({ credits }: TurnFacts): string {
  return credits === undefined
    ? t('Stopped at your limit of credits for a turn.')
    : t('Stopped at your limit of {amount} {unit, select, one {credit} other {credits}} for a turn.', {
        amount: exact(credits),
        unit: credits === 1 ? 'one' : 'other',
      });
}

/** SIGKILL, which programs don't send to themselves. */
const killed = 9;

function endWords({ signal, exitCode, ends = 0 }: TurnFacts): string {
  return sentences(
    ...(signal === undefined ? [] : [signalWords(signal)]),
    ...(signal === undefined && exitCode !== undefined
      ? [t('It ended with exit code {code}.', { code: String(exitCode) })]
      : []),
    ...(ends < 3 ? [] : [t('It ended {ends, plural, other {# times}} in 5 minutes.', { ends })]),
    t('Earlier work is saved; the last command may be half done.'),
  );
}

function signalWords(signal: number): string {
  return signal === killed
    ? t('The system ended it (signal {signal}), most often because memory ran out.', { signal: String(signal) })
    : t('The system ended it (signal {signal}).', { signal: String(signal) });
}
