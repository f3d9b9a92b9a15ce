import { AccountError, signedOut, signInHelp, signInStep, tokensRefusedId } from '../account/account-error.ts';
import type { AccountState, CredentialKind, OwnAccount, Quota, ReachState, WindowState } from '../api/account.ts';
import type { Problem } from '../api/call.ts';
import type { AppState, Limit, Offline, ProxyState, Status } from '../api/state.ts';
import { type Catalog, CatalogError } from '../copilot/catalog.ts';
import type { Reached } from '../exchange/limits/reached.ts';
import { msg } from '../language/messages.ts';
import { asSentence, sentences } from '../language/sentences.ts';
import { t } from '../language/translate.ts';
import { PolicyError, policyWarning } from '../settings/policy.ts';
import { autoOnlyWords, budgetRemedy, outAmongSeveral, refusedSignIn } from '../words/account.ts';
import { outOfCredits } from '../words/quota.ts';
import { windowProblem } from '../words/reach.ts';
import { blockedWords, limitReached, resetWords } from '../words/status.ts';
import { capital } from '../words/text.ts';

/** The facts that the state of the app is made of. */
export interface StatusFacts {
  /** Where requests go through VS Code, what is known of the account and its limits says nothing of them. */
  reach: ReachState;
  account: AccountState;
  /** All of the person's accounts, if there may be several. */
  accounts?: OwnAccount[];
  /** Kind of sign-in on the way in use. */
  credential: CredentialKind | null;
  /** Why it isn't known as whom requests go out. */
  unknown?: Problem | null;
  proxy: ProxyState;
  secrets: AppState['secrets'];
  /** True if memory was chosen, so that nothing warns about it. */
  memoryWanted?: boolean;
  quota: Quota | null;
  warnings: readonly Problem[];
  running: number;
  creditsRefused: boolean;
  autoOnly: boolean;
  limit: Limit | null;
  offline: Offline | null;
  /** Sessions that wait for a person's answer. */
  waiting: number;
  /** The quota is low from this many percent left. */
  lowPercentLeft?: number;
  now: number;
}

/** Unless a person chose otherwise: 80 % used. */
const lowPercentLeft = 20;

/** Warnings after which nothing that a person chose is in force. What was damaged and kept aside is none of them. */
const fatalCodes: ReadonlySet<string> = new Set(['settings-unreadable']);

/** The one thing to say first. The first that holds wins, in the order of `statusSchema`. */
export function statusOf(facts: StatusFacts): Status {
  const { account, proxy, quota } = facts;
  if (facts.warnings.some(({ code }) => fatalCodes.has(code))) return 'fatal';
  if (proxy.kind === 'failed') return 'port';
  if (facts.reach.kind === 'through-vscode') return statusThroughVscode(facts, facts.reach.window);
  if (account.kind === 'signing-in') return 'signing-in';
  if (facts.unknown) return 'account-unknown';
  // As good as none.
  if (account.kind === 'signed-out' || refusedSignIn(account) !== null) return 'signed-out';
  if (account.notice !== null) return 'no-access';
  if (proxy.kind !== 'on') return proxy.kind;
  if (facts.autoOnly) return 'auto-only';
  if (quota?.exhausted === true || facts.creditsRefused) return 'exhausted';
  if (facts.limit !== null && facts.now < facts.limit.until) return 'limited';
  if (facts.offline !== null) return 'offline';
  if (facts.waiting > 0) return 'waiting';
  if (isLow(quota, facts.lowPercentLeft ?? lowPercentLeft)) return 'low';
  if (isForgetful(facts)) return 'no-keychain';
  return facts.running > 0 ? 'busy' : 'on';
}

/** Nothing is signed in here, so that neither account nor token storage is of interest. */
function statusThroughVscode({ proxy, running, waiting }: StatusFacts, window: WindowState): Status {
  if (proxy.kind === 'failed') return 'port';
  if (proxy.kind !== 'on') return proxy.kind;
  if (windowProblem(window) !== null) return 'no-window';
  if (waiting > 0) return 'waiting';
  return running > 0 ? 'busy' : 'on';
}

function isLow(quota: Quota | null, percentLeft: number): boolean {
  if (quota === null || quota.unlimited) return false;
  return quota.percentRemaining !== null && quota.percentRemaining <= percentLeft;
}

/** The token is lost when the app ends, though the person didn't choose that. */
function isForgetful({ secrets: { storage, problem }, memoryWanted }: StatusFacts): boolean {
  return (storage === 'memory' && memoryWanted !== true) || problem !== null;
}

/** What keeps an exchange from working, whether the proxy is on or not; null if nothing does. */
export function obstacle(
  facts: StatusFacts,
): Extract<
  Status,
  'account-unknown' | 'signed-out' | 'no-access' | 'no-window' | 'auto-only' | 'exhausted' | 'limited' | 'offline'
> | null {
  const found = statusOf({ ...facts, warnings: [], proxy: { kind: 'on', port: 0, baseUrl: '' } });
  switch (found) {
    case 'signing-in':
      return 'signed-out';
    case 'account-unknown':
    case 'signed-out':
    case 'no-access':
    case 'no-window':
    case 'auto-only':
    case 'exhausted':
    case 'limited':
    case 'offline':
      return found;
    default:
      return null;
  }
}

/** The first thing in the way of an exchange, from what is known without a request; null when nothing is. */
export function knownProblem(facts: StatusFacts): Problem | null {
  const { account, quota, limit, offline } = facts;
  const code = obstacle(facts);
  switch (code) {
    case null:
      return null;
    case 'account-unknown':
      return facts.unknown ?? null;
    case 'signed-out':
      return { code, ...signedOutProblem(facts) };
    case 'no-access': {
      const { id, title, message, url } = (account.kind === 'signed-in' && account.notice) || unknownNotice;
      return {
        code,
        text: `${title}. ${message}`,
        ...noticeRemedy(id, url, facts),
      };
    }
    case 'no-window':
      return facts.reach.kind === 'directly' ? null : windowProblem(facts.reach.window);
    case 'auto-only': {
      const { title, text, remedy } = autoOnlyWords(account, {
        way: facts.credential === 'vscode' ? 'vscode' : 'copilot-sdk',
      });
      return { code, text: sentences(asSentence(title), text), remedy };
    }
    case 'exhausted':
      return {
        code,
        text: asSentence(outOfCredits(quota)),
        remedy: budgetRemedy,
      };
    case 'limited':
      return {
        code,
        text: limitReached(limit?.kind ?? 'account'),
        remedy: limit === null ? t('Try again later.') : resetWords(limit.until),
      };
    case 'offline':
      return {
        code,
        ...noConnection(offline),
      };
  }
}

function noConnection(offline: Offline | null): Pick<Problem, 'text' | 'remedy'> {
  const blocked = offline === null ? null : blockedWords(offline);
  const text = t('No connection to {host}.', { host: offline?.host ?? 'Copilot' });
  if (blocked === null) return { text, remedy: t('Check the network. The next request tries again.') };
  return { text: `${text} ${blocked}`, remedy: t('Run "jumpseat doctor": its checks of the network say why.') };
}

function signedOutProblem({
  account,
  accounts = [],
  credential,
  secrets,
}: StatusFacts): Pick<Problem, 'text' | 'remedy'> {
  // There may be a sign-in, which can't be read.
  if (secrets.problem !== null && !secrets.needsFile) return secrets.problem;
  const refused = refusedSignIn(account);
  if (refused !== null) return { text: asSentence(refused), remedy: signInHelp(credential, secrets) };
  const why = account.kind === 'signed-out' ? account.why : null;
  const { message, remedy } = signedOut(credential, secrets, why, outAmongSeveral(accounts));
  return { text: message, remedy };
}

function noticeRemedy(
  id: string,
  url: string | null,
  { credential, secrets }: Pick<StatusFacts, 'credential' | 'secrets'>,
): Pick<Problem, 'remedy' | 'remedyFor'> {
  if (url !== null) return { remedy: t('Open {url}', { url }) };
  return id === tokensRefusedId
    ? { remedy: t('Nothing has to be done; githubstatus.com says whether GitHub has trouble.') }
    : { remedy: signInStep(credential, secrets), remedyFor: 'terminal' };
}

const unknownNotice = {
  id: 'unknown',
  title: msg('No access to Copilot'),
  message: msg('GitHub sent no reason.'),
  url: null,
};

const withinMs = 5000;

/**
 * The same, after having asked: is there a token, or a window of VS Code, can the models be read? Null if an exchange
 * would work now.
 */
export async function currentProblem(parts: {
  /** Resolves when it is known what lets requests in; rejects where nothing does. */
  admitted: () => Promise<unknown>;
  /** Host that has to answer: `GitHub or Copilot`. */
  who: string;
  catalog: Catalog;
  known: () => Problem | null;
}): Promise<Problem | null> {
  const { admitted, who, catalog, known } = parts;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Problem>((resolve) => {
    const text = t('{who} didn’t answer within {seconds} s.', { who, seconds: withinMs / 1000 });
    timer = setTimeout(
      () => resolve({ code: 'slow', text, remedy: t('Check the network, then try again.') }),
      withinMs,
    );
  });
  const asked = (async (): Promise<Problem | null> => {
    try {
      await admitted();
      if (known()?.code === 'no-window') return known();
      await catalog.models();
    } catch (error) {
      return known() ?? problemOf(error);
    }
    return known();
  })();
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A limit that the person has set holds every request back now. */
export function ownLimitProblem(reached: Reached | null): Problem | null {
  return reached && { code: 'own-limit', text: capital(reached.because), remedy: reached.remedy };
}

export function problemOf(error: unknown): Problem {
  if (error instanceof PolicyError) return policyWarning(error);
  if (error instanceof AccountError) return { code: error.kind, text: error.message, remedy: error.remedy };
  if (error instanceof CatalogError)
    return {
      code: 'catalog',
      text: t('Copilot’s list of models could not be read: {said}', { said: error.said }),
      remedy: t('Check the network, then run "jumpseat doctor".'),
    };
  throw error;
}
