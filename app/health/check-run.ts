import type { Account } from '../account/account.ts';
import type { Problem } from '../api/call.ts';
import type { ModelAnswer } from '../api/models.ts';
import type { SearchReport } from '../api/search.ts';
import type { Client } from '../api/setup.ts';
import type { AppState, Check } from '../api/state.ts';
import { type ClaudeCodeSurroundings, claudeCodeChecks } from '../claude-code/checks.ts';
import type { Catalog } from '../copilot/catalog.ts';
import type { CatalogModel } from '../copilot/model-entry.ts';
import type { Limits } from '../exchange/limits/admit.ts';
import type { History } from '../history/history.ts';
import type { LessonTable } from '../history/lesson-table.ts';
import type { Ports } from '../ports.ts';
import type { GithubAddresses } from '../settings/github-addresses.ts';
import { type Policy, type PolicyError, policyWarning } from '../settings/policy.ts';
import type { NamedCheck } from '../words/checks.ts';
import { windowProblem } from '../words/reach.ts';
import type { OtlpReport, RefusedClient, SessionProgram } from './feature-checks.ts';
import type { Finding } from './finding.ts';
import { askGithub, type GithubReply } from './network-checks.ts';
import { problemOf } from './status.ts';

/** A check that only a front can make. Must not reject. */
export interface FrontCheck extends NamedCheck {
  find: () => Finding | Promise<Finding>;
}

export interface CheckDependencies {
  ports: Ports;
  github: GithubAddresses;
  account: Account;
  throughVscode: { readonly window: { look(): Promise<unknown> } };
  /** Catalog that requests use. */
  catalog: Catalog;
  history: History;
  lessons: LessonTable;
  state(): AppState;
  /** Limits that the person has set. */
  ownLimits(): Pick<Limits, 'reached' | 'own'>;
  /** What the settings file holds and can't be used. */
  settingsWarnings(): readonly Problem[];
  /** The organization's policy; null: there is none. */
  organizationRules(): Policy | null;
  policyProblem(): PolicyError | null;
  /** Updates the state from the store's status. */
  noteSecrets(): Promise<void>;
  /** True if the person chose to keep them in memory. */
  isMemoryWanted(): boolean;
  /** The port that is in use, or would be. */
  port: number;
  claudeCode: () => Promise<ClaudeCodeSurroundings>;
  explainModel(name: string): Promise<ModelAnswer>;
  search(): Promise<SearchReport>;
  sessionProgram(): Promise<SessionProgram>;
  /** Programs that Jumpseat has set up, among others; none if it set up none and refused nobody. */
  clients(): Promise<readonly Client[]>;
  /** Clients that worked before, and whose key has been refused since. */
  refusedClients(): Promise<readonly RefusedClient[]>;
  otlp(): OtlpReport;
  front: readonly FrontCheck[];
}

/** `failed`: why Copilot sent no list now; an older one may be known all the same. */
interface AskedModels {
  models: CatalogModel[] | Problem;
  failed: Problem | null;
  tookMs: number;
}

/** What the checks of one run ask for together, each thing once and only where one of them needs it. */
export class CheckRun {
  readonly dependencies: CheckDependencies;
  #token: Promise<Problem | null> | null = null;
  #storage: Promise<void> | null = null;
  #models: Promise<AskedModels> | null = null;
  #claudeCode: Promise<Check[]> | null = null;
  #github: Promise<GithubReply> | null = null;

  constructor(dependencies: CheckDependencies) {
    this.dependencies = dependencies;
  }

  /**
   * Why there is no Copilot token, or no window of VS Code that serves; null if there is. Account and window have
   * been read again by then.
   */
  token(): Promise<Problem | null> {
    this.#token ??= this.#askToken();
    return this.#token;
  }

  /** The store has been tried by then. */
  storage(): Promise<void> {
    this.#storage ??= this.dependencies.noteSecrets();
    return this.#storage;
  }

  models(): Promise<AskedModels> {
    this.#models ??= this.#askModels();
    return this.#models;
  }

  /** GitHub, without a token. */
  github(): Promise<GithubReply> {
    this.#github ??= askGithub(this.dependencies.ports, this.dependencies.github);
    return this.#github;
  }

  /** Once the catalog that was asked for is there: the lines for Claude Code name its models. */
  claudeCode(): Promise<Check[]> {
    this.#claudeCode ??= Promise.resolve(this.#models)
      .then(() => this.dependencies.claudeCode())
      .then(claudeCodeChecks);
    return this.#claudeCode;
  }

  /** Nothing is asked of GitHub and of Copilot while it is there: the policy may forbid that. */
  policyProblem(): Problem | null {
    const error = this.dependencies.policyProblem();
    return error === null ? null : policyWarning(error);
  }

  async #askToken(): Promise<Problem | null> {
    const { account, throughVscode, state } = this.dependencies;
    await account.load();
    const policy = this.policyProblem();
    if (policy !== null) return policy;
    if (isThroughVscode(this)) {
      await throughVscode.window.look();
      const { reach } = state();
      return reach.kind === 'directly' ? null : windowProblem(reach.window);
    }
    const problem = await account.token().then(
      () => null,
      (error: unknown) => problemOf(error),
    );
    if (problem === null) await account.readUser();
    return problem;
  }

  async #askModels(): Promise<AskedModels> {
    const { catalog, ports } = this.dependencies;
    const policy = this.policyProblem();
    if (policy !== null) return { models: policy, failed: policy, tookMs: 0 };
    const begun = ports.clock.ticks();
    const models = await catalog.models({ refresh: true }).catch((error: unknown) => problemOf(error));
    const tookMs = Math.round(ports.clock.ticks() - begun);
    if (!Array.isArray(models)) return { models, failed: models, tookMs };
    const stale = catalog.staleBecause();
    return { models, failed: stale && problemOf(stale), tookMs };
  }
}

export interface CheckStep extends NamedCheck {
  find: (run: CheckRun) => Finding | Promise<Finding>;
}

export function isThroughVscode({ dependencies }: CheckRun): boolean {
  return dependencies.state().reach.kind === 'through-vscode';
}
