import { msg } from '../../language/messages.ts';
import { t } from '../../language/translate.ts';
import { asNumber, asObject } from '../read-response.ts';

/**
 * - `missing`, `not-executable`, `altered`: it was not started.
 * - `too-old`, `too-new`: it does not speak what Jumpseat speaks.
 * - `no-answer`: a step took longer than it may. `died`: it ended by itself. `unreadable`: what it wrote is no answer.
 * - `not-allowed`: the way to an endpoint is switched off in it.
 * - `not-signed-in`: there is no credential.
 * - `token-refused`, `no-copilot`, `models-refused`: GitHub or Copilot said no.
 * - `not-resolved`: a company host let the runtime know nothing about the account, and the runtime doesn't say why.
 * - `offline`: it reached no server. `github-failed`: it was answered with an error that says nothing about the
 *   account.
 * - `no-address`: GitHub names no address of Copilot for this account.
 */
export type RuntimeFailureKind =
  | 'missing'
  | 'not-executable'
  | 'altered'
  | 'too-old'
  | 'too-new'
  | 'no-answer'
  | 'died'
  | 'unreadable'
  | 'not-allowed'
  | 'not-signed-in'
  | 'token-refused'
  | 'no-copilot'
  | 'models-refused'
  | 'not-resolved'
  | 'offline'
  | 'github-failed'
  | 'no-address';

/** Why there is no endpoint. No sentence contains a token. */
export interface RuntimeFailure {
  kind: RuntimeFailureKind;
  /** What happened and why. */
  message: string;
  /** What to do next. */
  remedy: string;
  /** HTTP status of GitHub's or Copilot's answer, if there was one. */
  status: number | null;
}

/** What is known where it happens; the words are made from it in one place. */
export class RuntimeFault extends Error {
  override readonly name = 'RuntimeFault';
  readonly kind: RuntimeFailureKind;
  readonly status: number | null;
  /** @param detail a few words for the sentence; empty where it needs none. Holds no token. */
  constructor(kind: RuntimeFailureKind, detail = '', status: number | null = null) {
    super(detail);
    this.kind = kind;
    this.status = status;
  }
}

const fetchAgain = msg('Let Jumpseat fetch the runtime again.');
const signInAgain = msg('Sign in again for GitHub’s Copilot SDK.');
const update = msg('Update Jumpseat.');
const later = msg('Try again in a moment. The previous sign-in stays in use.');

/** The failure for a person; the front adds that there is another way in. `host`: the host that was asked. */
export function failureInWords({ kind, message: detail, status }: RuntimeFault, host: string): RuntimeFailure {
  const [message, remedy] = wordsOf(kind, detail, status, host);
  return { kind, message, remedy, status };
}

function wordsOf(
  kind: RuntimeFailureKind,
  detail: string,
  status: number | null,
  host: string,
): readonly [message: string, remedy: string] {
  switch (kind) {
    case 'missing':
      return [t('GitHub’s Copilot runtime is not on this machine.'), t('Let Jumpseat fetch it.')];
    case 'not-executable':
      return [t('GitHub’s Copilot runtime can’t be started: {detail}.', { detail }), fetchAgain];
    case 'altered':
      return [
        t('GitHub’s Copilot runtime wasn’t started: {detail} isn’t the file that was fetched.', { detail }),
        fetchAgain,
      ];
    case 'too-old':
      return [t('GitHub’s Copilot runtime is too old for this Jumpseat.'), fetchAgain];
    case 'too-new':
      return [
        t('GitHub’s Copilot runtime speaks protocol {detail}, which Jumpseat doesn’t know yet.', { detail }),
        update,
      ];
    case 'no-answer':
      return [t('GitHub’s Copilot runtime didn’t answer in time ({detail}), so it was ended.', { detail }), later];
    case 'died':
      return [t('GitHub’s Copilot runtime exited ({detail}).', { detail }), later];
    case 'unreadable':
      return [t('GitHub’s Copilot runtime sent an answer that Jumpseat can’t read: {detail}.', { detail }), update];
    case 'not-allowed':
      return [t('GitHub’s Copilot runtime no longer offers other programs an endpoint.'), update];
    case 'not-signed-in':
      return [t('Nobody is signed in to {host} for GitHub’s Copilot SDK.', { host }), signInAgain];
    case 'token-refused':
      return [
        t('{host} refused the sign-in for GitHub’s Copilot SDK (status {status}).', { host, status: status ?? 401 }),
        signInAgain,
      ];
    case 'no-copilot':
      return [
        t(
          '{host} doesn’t let this sign-in use Copilot (status {status}). The account has no ' +
            'Copilot, or an organisation or the token’s permissions don’t allow it.',
          { host, status: status ?? 403 },
        ),
        t('Look at github.com/settings/copilot, and add the permission “Copilot Requests” to the token.'),
      ];
    case 'models-refused':
      return [
        t('Copilot refused GitHub’s runtime its list of models (status {status}).', { status: status ?? 403 }),
        t('Look at what the organisation allows under “Copilot CLI”.'),
      ];
    case 'not-resolved':
      return [
        t('{host} didn’t say what this sign-in may use: it was refused, has no Copilot, or {host} wasn’t reached.', {
          host,
        }),
        t('Look at the connection, or sign in there again.'),
      ];
    case 'offline':
      return [
        t('GitHub’s Copilot runtime couldn’t reach {host}.', { host }),
        t('Look at the connection, and at the proxy and the certificates if there are some.'),
      ];
    case 'github-failed':
      return [
        t('{host} answered GitHub’s Copilot runtime with an error (status {status}).', { host, status: status ?? 0 }),
        later,
      ];
    case 'no-address':
      return [
        t('{host} reports no Copilot address for this account.', { host }),
        t('Look at github.com/settings/copilot whether the account has a plan.'),
      ];
  }
}

/** The runtime answered a call with an error. `message` is its own text and stays in here: it is free text. */
export class RefusedCall extends Error {
  override readonly name = 'RefusedCall';
  readonly method: string;
  readonly code: number | null;
  readonly data: unknown;
  constructor(method: string, code: number | null, message: string, data: unknown) {
    super(message);
    this.method = method;
    this.code = code;
    this.data = data;
  }
}

const noSuchMethod = -32601;
const internalError = -32603;

/**
 * What an error of the runtime's means. It has one code for nearly all of them, so its texts are read, as 1.0.85 writes
 * them: `Failed to fetch Copilot user info: 401 Unauthorized: …`, `Failed to validate SDK token (401): …`.
 */
export function faultOf({ method, code, message, data }: RefusedCall): RuntimeFault {
  if (code === noSuchMethod) return new RuntimeFault('too-old');
  if (message.includes('COPILOT_ALLOW_GET_PROVIDER_ENDPOINT')) return new RuntimeFault('not-allowed');
  if (message.includes('Provider endpoint URL is not configured')) return new RuntimeFault('no-address');
  if (/not authenticated|Failed to obtain an API key/iu.test(message)) return new RuntimeFault('not-signed-in');
  if (/error sending request|network fetch failed/u.test(message)) return new RuntimeFault('offline');
  const fromCopilot = asNumber(asObject(data)?.status);
  if (fromCopilot !== null) return new RuntimeFault('models-refused', '', fromCopilot);
  const status = statusIn(message);
  if (status !== null) return new RuntimeFault(kindOfStatus(status), '', status);
  return new RuntimeFault('unreadable', `${method} failed with the code ${code ?? internalError}`);
}

/** The HTTP status in what GitHub said about the account; null if it names none. */
export function statusIn(message: string): number | null {
  const found = /user info: (\d{3})\b|\((\d{3})\)/u.exec(message);
  const digits = found?.[1] ?? found?.[2];
  return digits === undefined ? null : Number(digits);
}

export function kindOfStatus(status: number): 'token-refused' | 'no-copilot' | 'github-failed' {
  if (status === 401) return 'token-refused';
  return status === 403 || status === 404 ? 'no-copilot' : 'github-failed';
}
