import type { JsonObject } from '../../formats/wire/json.ts';
import type { RuntimeFailure } from './failure.ts';

/** Credential for GitHub's runtime. Never a token of VS Code's app. */
export type RuntimeCredential =
  /** `host`: the company host (`octo.ghe.com`) that gave the token; null for github.com. */
  | { kind: 'token'; token: string; host: string | null }
  /** What `copilot login` stored; `copilotHome` is the COPILOT_HOME it was run with. */
  | { kind: 'stored-sign-in'; copilotHome: string };

/** What `session.provider.getEndpoint` gives, and of which account. */
export interface ProviderEndpoint {
  /** Base URL of Copilot's API; https, or http on a loopback host. */
  baseUrl: URL;
  /**
   * As the runtime gave them, Authorization included. It is asked without a model, so that it sends no request for the
   * list of them, and then gives those of `/chat/completions`: with `Content-Type`, `Accept`, `Openai-Intent`, a
   * constant `X-Initiator` and an `X-Interaction-Id`, which each request sets anew.
   */
  headers: Record<string, string>;
  /** The runtime's own version, `1.0.85`. */
  runtimeVersion: string;
  /** `octo.ghe.com` or `github.com`: who was asked about the account. */
  host: string;
  login: string | null;
  plan: string | null;
  /** The whole answer of `/copilot_internal/user`, as the runtime knows it; null if it keeps it to itself. */
  user: JsonObject | null;
}

/** Lets requests of one conversation go to the model that Auto chose. */
export interface AutoSession {
  /** `Copilot-Session-Token` */
  header: string;
  token: string;
  /** The model it holds for. */
  model: string;
  /** ms since the epoch. */
  expiresAt: number;
}

export type RuntimeAnswer = { ok: true; endpoint: ProviderEndpoint } | { ok: false; failure: RuntimeFailure };

/** `session: null`: GitHub has no Auto for this account, which the runtime does not tell from being out of reach. */
export type AutoAnswer = { ok: true; session: AutoSession | null } | { ok: false; failure: RuntimeFailure };
