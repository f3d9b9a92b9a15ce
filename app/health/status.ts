import type { AccountState, CredentialKind, OwnAccount, Quota } from '../api/account.ts';
import type { Problem } from '../api/call.ts';
import type { ReachState, WindowState } from '../api/reach.ts';
import type { AppState, Limit, Offline, ProxyState, Status } from '../api/state.ts';
import { refusedSignIn } from '../words/account.ts';
import { windowProblem } from '../words/reach.ts';

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
export const lowPercentLeft = 20;

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
