import type { JsonObject } from '../../formats/wire/json.ts';

/** With what GitHub's runtime is asked for an endpoint. Never a token of VS Code's app. */
export type RuntimeCredential =
  /** `host`: the company host (`octo.ghe.com`) that gave the token; null: github.com. */
  | { kind: 'token'; token: string; host: string | null }
  /** What `copilot login` stored; `copilotHome` is the COPILOT_HOME it was run with. */
  | { kind: 'stored-sign-in'; copilotHome: string };

/** What `session.provider.getEndpoint` hands out, and whose it is. */
export interface ProviderEndpoint {
  /** Of Copilot's API; https, or http on a loopback host. */
  baseUrl: URL;
  /**
   * As the runtime gave them, Authorization included. It is asked without a model, so that it asks nobody for the
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
  /** The whole answer of `/copilot_internal/user`, as the runtime knows it; null where it keeps it to itself. */
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

/**
 * - `missing`, `not-executable`: it was not started.
 * - `too-old`, `too-new`: it does not speak what Jumpseat speaks.
 * - `no-answer`: a step took longer than it may. `died`: it ended by itself. `unreadable`: what it wrote is no answer.
 * - `not-allowed`: the way to an endpoint is switched off in it.
 * - `not-signed-in`: there is no credential.
 * - `token-refused`, `no-copilot`, `models-refused`: GitHub or Copilot said no.
 * - `offline`: it reached nobody. `github-failed`: it was answered with an error that says nothing about the account.
 * - `no-address`: GitHub names no address of Copilot for this account.
 */
export type RuntimeFailureKind =
  | 'missing'
  | 'not-executable'
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
  | 'offline'
  | 'github-failed'
  | 'no-address';

/** No endpoint. Neither sentence ever holds a token. */
export interface RuntimeFailure {
  kind: RuntimeFailureKind;
  /** What happened and why. */
  message: string;
  /** What to do next. */
  mend: string;
  /** Of GitHub's or Copilot's answer, where there was one. */
  status: number | null;
}
