/** The plans that the simulated person may have; `enterprise` is that of a company's own host. */
export const planNames = ['pro-plus', 'student', 'free', 'business', 'enterprise'] as const;
export type PlanName = (typeof planNames)[number];

/** The simulated person and plan. */
export interface SimulatedUser {
  login: string;
  /** `copilot_plan`. */
  plan: string;
  /** `access_type_sku`, and `sku` of the token. */
  sku: string;
  tokenBased: boolean;
  /** Size of the credit (or premium request) bucket; null if unlimited. */
  entitlement: number | null;
  /** What is left of it. Falls as answers are billed. */
  remaining: number;
  overagePermitted: boolean;
  /** Like the free plan: a number of chats is left, and there are no snapshots. Default false. */
  countsChats: boolean;
  /** ISO date. Default: the first of next month. */
  resetDate: string;
}

export interface SimulatorOptions {
  /** Port of the simulated github.com; the other two services take free ones. Default 0: a free one too. */
  port?: number;
  /** Plan with its catalog; `user` and `models` change it. Default `pro-plus`. */
  plan?: PlanName;
  user?: Partial<SimulatedUser>;
  /** The person approves at this poll. Absent: only `script.approve()` or the page at `/login/device` does. */
  approveAfterPolls?: number;
  /** Seconds between polls; faster ones get `slow_down`. 0: no limit. Default 5. */
  deviceInterval?: number;
  /** Seconds until a device code expires. Default 900. */
  deviceExpiresIn?: number;
  /** `refresh_in` of a Copilot token, s. Default 1500. */
  tokenRefreshIn?: number;
  /** Raw catalog objects. Default: those of the plan. */
  models?: readonly unknown[];
  /** Pace between events of an answer, ms. Default 0. */
  thinkMs?: number;
  /** Headers that should never arrive are answered 400 (and not only recorded). Default true. */
  strict?: boolean;
  /** How many requests are kept in `requests`; older ones go. Default 1000. */
  keepRequests?: number;
  /** PEM texts: all three services speak https with them. */
  tls?: { key: string; cert: string };
}

export function simulatedUser(given: Partial<SimulatedUser> = {}): SimulatedUser {
  const entitlement = given.entitlement === undefined ? 7000 : given.entitlement;
  return {
    login: 'octo-demo',
    plan: 'individual_pro',
    sku: 'plus_monthly_subscriber_quota',
    tokenBased: true,
    remaining: entitlement ?? 0,
    overagePermitted: false,
    countsChats: false,
    resetDate: firstOfNextMonth(new Date()),
    ...given,
    entitlement,
  };
}

function firstOfNextMonth(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
}
