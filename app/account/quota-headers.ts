import type { IncomingHttpHeaders } from 'node:http';
import type { Quota, UsageWindow } from '../api/account.ts';

/** One of Copilot's quota headers: `ent=300&ov=1382.4&ovPerm=true&rem=0.0&rst=2026-06-01T00:00:00Z&totRem=0.0`. */
interface QuotaSnapshot {
  /** −1: unlimited. */
  entitlement: number | null;
  overageUsed: number | null;
  overagePermitted: boolean | null;
  percentRemaining: number;
  /** The step of that share: 0.1 where it was written with one decimal. */
  step: number;
  resetsAt: string | null;
}

/** Null when it names no share that is left. `totRem` is often empty and its unit is not known: it is not read. */
export function readSnapshot(header: string): QuotaSnapshot | null {
  const fields = new URLSearchParams(header);
  const percentRemaining = number(fields.get('rem'));
  if (percentRemaining === null) return null;
  const permitted = fields.get('ovPerm');
  return {
    entitlement: number(fields.get('ent')),
    overageUsed: number(fields.get('ov')),
    overagePermitted: permitted === 'true' ? true : permitted === 'false' ? false : null,
    percentRemaining,
    step: 10 ** -(fields.get('rem')?.split('.')[1]?.length ?? 0),
    resetsAt: fields.get('rst')?.replaceAll(' ', '+') || null,
  };
}

/** What Copilot's answers say about quota and usage windows, the newest of each. */
export class QuotaHeaders {
  #premiumText = '';
  #sessionText = '';
  #weeklyText = '';
  #premium: { snapshot: QuotaSnapshot; asOf: number } | null = null;
  #session: UsageWindow | null = null;
  #weekly: UsageWindow | null = null;

  /** Called for every answer: does next to nothing unless a header changed. True when something did. */
  note(headers: IncomingHttpHeaders, now: number): boolean {
    const premium = headers['x-quota-snapshot-premium_interactions'] ?? headers['x-quota-snapshot-premium_models'];
    const session = headers['x-usage-ratelimit-session'];
    const weekly = headers['x-usage-ratelimit-weekly'];
    if (premium === undefined && session === undefined && weekly === undefined) return false;
    let changed = false;
    if (typeof premium === 'string') {
      if (premium !== this.#premiumText) {
        const snapshot = readSnapshot(premium);
        if (snapshot) {
          this.#premiumText = premium;
          this.#premium = { snapshot, asOf: now };
          changed = true;
        }
      } else if (this.#premium) this.#premium.asOf = now;
    }
    if (typeof session === 'string') {
      changed = this.#session === null || session !== this.#sessionText || changed;
      this.#session = nextWindow(session, this.#sessionText, this.#session, now);
      this.#sessionText = session;
    }
    if (typeof weekly === 'string') {
      changed = this.#weekly === null || weekly !== this.#weeklyText || changed;
      this.#weekly = nextWindow(weekly, this.#weeklyText, this.#weekly, now);
      this.#weeklyText = weekly;
    }
    return changed;
  }

  windows(): { session: UsageWindow | null; weekly: UsageWindow | null } {
    return { session: this.#session, weekly: this.#weekly };
  }

  /**
   * `base` (what GitHub said about the account) brought up to date with the last answer's header, whichever is newer.
   */
  applyTo(base: Quota | null, hasQuota: boolean | null): Quota | null {
    const premium = this.#premium;
    if (!premium) return base;
    if (base && base.asOf >= premium.asOf) return withExactOverage(base, premium.snapshot.overageUsed);
    const { snapshot, asOf } = premium;
    const unlimited = snapshot.entitlement === null ? (base?.unlimited ?? false) : snapshot.entitlement < 0;
    const entitlement = unlimited ? null : (snapshot.entitlement ?? base?.entitlement ?? null);
    const remaining = entitlement === null ? null : remainingOf(entitlement, snapshot, base?.remaining ?? null);
    const exactPercent = remaining === null || !entitlement ? null : (remaining / entitlement) * 100;
    const percentRemaining = unlimited ? null : (exactPercent ?? snapshot.percentRemaining);
    const overagePermitted = snapshot.overagePermitted ?? base?.overagePermitted ?? null;
    return {
      world: base?.world ?? 'unknown',
      entitlement,
      remaining,
      percentRemaining,
      unlimited,
      overagePermitted,
      overageUsed: snapshot.overageUsed ?? base?.overageUsed ?? null,
      exhausted: isExhausted({ unlimited, overagePermitted, percentRemaining, hasQuota: unlimited ? hasQuota : null }),
      resetsAt: snapshot.resetsAt ?? base?.resetsAt ?? null,
      asOf,
    };
  }
}

/** The header of an answer has a decimal that GitHub's report of the account may lack. It is kept while both agree. */
function withExactOverage(quota: Quota, exact: number | null): Quota {
  const { overageUsed: whole } = quota;
  const isSame = whole !== null && exact !== null && Number.isInteger(whole) && Math.abs(whole - exact) < 1;
  return isSame ? { ...quota, overageUsed: exact } : quota;
}

/** Nothing is left and nothing may be added. Of an unlimited bucket only `has_quota` says so. */
export function isExhausted(facts: {
  unlimited: boolean;
  overagePermitted: boolean | null;
  percentRemaining: number | null;
  hasQuota: boolean | null;
}): boolean {
  if (facts.overagePermitted === true) return false;
  if (facts.hasQuota === false) return true;
  return !facts.unlimited && facts.percentRemaining !== null && facts.percentRemaining <= 0;
}

function nextWindow(text: string, oldText: string, old: UsageWindow | null, now: number): UsageWindow | null {
  if (text === oldText && old) return { ...old, asOf: now };
  const snapshot = readSnapshot(text);
  if (!snapshot) return old;
  return { percentRemaining: snapshot.percentRemaining, resetsAt: snapshot.resetsAt, asOf: now };
}

/**
 * What is left, by a share that is rounded: GitHub's exact figure as long as it may still be that, else the nearest
 * that it may be. So the figure never goes up because it was rounded.
 */
function remainingOf(entitlement: number, { percentRemaining, step }: QuotaSnapshot, exact: number | null): number {
  const part = (percent: number): number => Math.round(entitlement * percent) / 100;
  if (exact === null || percentRemaining <= 0) return part(percentRemaining);
  return Math.min(Math.max(exact, part(percentRemaining - step)), part(percentRemaining + step));
}

function number(text: string | null): number | null {
  if (text === null || text.trim() === '') return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}
