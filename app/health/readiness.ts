import { AccountError, signedOut, signInHelp, signInStep, tokensRefusedId } from '../account/account-error.ts';
import type { Problem } from '../api/call.ts';
import type { Offline } from '../api/state.ts';
import { type Catalog, CatalogError } from '../copilot/catalog.ts';
import type { Reached } from '../exchange/limits/reached.ts';
import { msg } from '../language/messages.ts';
import { asSentence, sentences } from '../language/sentences.ts';
import { t } from '../language/translate.ts';
import { PolicyError } from '../settings/policy.ts';
import { policyWarning } from '../settings/policy-watch.ts';
import { autoOnlyWords, budgetRemedy, outAmongSeveral, refusedSignIn } from '../words/account.ts';
import { outOfCredits } from '../words/quota.ts';
import { windowProblem } from '../words/reach.ts';
import { blockedWords, limitReached, resetWords } from '../words/status.ts';
import { capital } from '../words/text.ts';
import { obstacle, type StatusFacts } from './status.ts';

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
