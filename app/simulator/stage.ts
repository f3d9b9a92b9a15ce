import { createHash, randomUUID } from 'node:crypto';
import { isObject } from '../formats/wire/json.ts';
import { PromptCache } from './answers/answer-parts.ts';
import { AutoSessions, type SimulatedModel } from './catalog.ts';
import { DeviceCodes } from './device-codes.ts';
import { asObject } from './json.ts';
import { type SimulatedUser, type SimulatorOptions, simulatedUser } from './options.ts';
import { simulatedPlan } from './plans.ts';
import type { RecordedRequest, Service } from './record.ts';
import type { Refusal } from './refusal.ts';
import {
  type ChatQuirks,
  type Match,
  type MintRefusal,
  type Narrowing,
  type QuotaWindows,
  Replies,
  type Script,
  type Violation,
  Watch,
} from './script.ts';
import { simulatedSearchKey } from './web-engines.ts';

/** Shaped like a token of GitHub's device sign-in, and good for nothing but this simulator. */
export const fakeGithubToken = 'ghu_SIMULATED0000000000000000000000000000';

/** Shaped like tokens of a person's own making: with "Copilot Requests", and of an OAuth app that is not VS Code's. */
export const fakeOwnToken =
  'github_pat_SIMULATED000000000000_0000000000000000000000000000000000000000000000000000000000';
export const fakeOwnAppToken = 'gho_SIMULATED0000000000000000000000000000';

/** Everything the simulated services know and remember. The script changes it, the routes read it. */
export class Stage {
  readonly options: Required<Pick<SimulatorOptions, 'thinkMs' | 'strict' | 'tokenRefreshIn' | 'keepRequests'>>;
  readonly user: SimulatedUser;
  readonly tokens = new CopilotTokens();
  readonly autoSessions = new AutoSessions();
  readonly deviceCodes: DeviceCodes;
  readonly replies = new Replies();
  readonly arrivals = new Watch(false);
  readonly aborts = new Watch(true);
  readonly promptCache = new PromptCache();
  readonly requests: RecordedRequest[] = [];
  readonly githubRequests: RecordedRequest[] = [];
  readonly engineRequests: RecordedRequest[] = [];
  readonly violations: Violation[] = [];
  readonly acceptedSignatures = new Set<string>();
  /** Nano AIU of all answers. */
  billed = 0;
  refusedFields: { path: string; model: string | null }[] = [];
  narrowings: { model: string; less: Narrowing }[] = [];
  catalog: readonly unknown[];
  modelsFailure: Refusal | null = null;
  mintRefusal: MintRefusal | null = null;
  /** How often what was given to sign in with was taken back: tokens of before are refused from then on. */
  revocations = 0;
  otherHost: string | null = null;
  windows: QuotaWindows = {};
  quirks: ChatQuirks = {};
  /** Address of Copilot's API now. */
  copilotUrl = '';
  webUrl = '';
  apiUrl = '';

  constructor(options: SimulatorOptions) {
    this.options = {
      thinkMs: options.thinkMs ?? 0,
      strict: options.strict ?? true,
      tokenRefreshIn: options.tokenRefreshIn ?? 1500,
      keepRequests: options.keepRequests ?? 1000,
    };
    const plan = simulatedPlan(options.plan ?? 'pro-plus');
    this.user = simulatedUser({ ...plan.user, ...options.user });
    this.catalog = options.models ?? plan.models;
    this.deviceCodes = new DeviceCodes({
      githubToken: () => this.given(fakeGithubToken),
      interval: options.deviceInterval ?? 5,
      expiresIn: options.deviceExpiresIn ?? 900,
      approveAfterPolls: options.approveAfterPolls ?? null,
    });
  }

  keep(request: RecordedRequest): void {
    const list = this.#listOf(request.service);
    list.push(request);
    if (list.length > this.options.keepRequests) list.shift();
    this.arrivals.tell(request);
  }

  #listOf(service: Service): RecordedRequest[] {
    if (service === 'copilot') return this.requests;
    return service === 'engines' ? this.engineRequests : this.githubRequests;
  }

  /** A token as it is given now: another one after each revocation. */
  given(token: string): string {
    return `${token.slice(0, -4)}${String(this.revocations).padStart(4, '0')}`;
  }

  /** Whether Copilot takes it as it is, without a mint. */
  isOwnToken(value: string): boolean {
    return value === this.given(fakeOwnToken) || value === this.given(fakeOwnAppToken);
  }

  /** Stand-in for a header's value in recordings. */
  hide(name: string, value: string): string {
    switch (name.toLowerCase()) {
      case 'authorization':
        return this.#hideCredential(value);
      case 'x-api-key':
      case 'x-subscription-token':
      case 'api_key':
        return value === simulatedSearchKey ? '<search-key>' : '<hidden>';
      case 'copilot-session-token':
        return this.autoSessions.find(value)?.name ?? '<unknown>';
      case 'cookie':
      case 'proxy-authorization':
        return '<hidden>';
      default:
        return value;
    }
  }

  #hideCredential(value: string): string {
    const [scheme = '', credential = ''] = value.split(/\s+/, 2);
    if (credential === simulatedSearchKey) return `${scheme} <search-key>`;
    if (credential === this.given(fakeGithubToken)) return `${scheme} <github-token>`;
    if (credential === this.given(fakeOwnAppToken)) return `${scheme} <own-app-token>`;
    if (this.isOwnToken(credential)) return `${scheme} <own-token>`;
    return `${scheme} ${this.tokens.find(credential)?.name ?? '<unknown>'}`;
  }

  /**
   * Takes what an answer cost from the bucket: credits, or on older plans one premium request for each that a person
   * started.
   */
  charge(nanoAiu: number, initiator: string | null): void {
    this.billed += nanoAiu;
    if (this.user.entitlement === null) return;
    this.user.remaining -= this.user.tokenBased ? nanoAiu / 1e9 : initiator === 'user' ? 1 : 0;
  }

  setPolicy(model: string, state: 'enabled' | 'disabled'): void {
    this.catalog = this.catalog.map((entry) =>
      isObject(entry) && entry.id === model ? { ...entry, policy: { ...asObject(entry.policy), state } } : entry,
    );
  }

  /** The model as it is served now, which its catalog entry may not say. */
  served(model: SimulatedModel): SimulatedModel {
    const served = { ...model };
    for (const narrowing of this.narrowings) if (narrowing.model === model.id) Object.assign(served, narrowing.less);
    return served;
  }

  refuses(path: string, model: string): boolean {
    return this.refusedFields.some((field) => field.path === path && (field.model === null || field.model === model));
  }
}

const inferencePaths = new Set(['/v1/messages', '/chat/completions', '/responses', '/embeddings']);

function isInference(request: RecordedRequest): boolean {
  return request.service === 'copilot' && request.method === 'POST' && inferencePaths.has(request.path);
}

const anything: Match = () => true;

/** The script of a stage. `moveHost` opens a new address for Copilot. */
export function scriptOf(stage: Stage, moveHost: () => Promise<string>): Script {
  return {
    next: (reply, match = isInference) => stage.replies.next(reply, match),
    always: (reply, match = isInference) => stage.replies.always(reply, match),
    get waiting() {
      return stage.replies.waiting;
    },
    clear: () => stage.replies.clear(),

    arrival: (match = anything) => stage.arrivals.next(match),
    aborted: (match = anything) => stage.aborts.next(match),

    approve: (userCode) => void stage.deviceCodes.decide(userCode ?? null, 'approved'),
    deny: (userCode) => void stage.deviceCodes.decide(userCode ?? null, 'denied'),
    expireDeviceCodes: () => stage.deviceCodes.expireAll(),
    slowDown: (interval) => stage.deviceCodes.slowDownNext(interval),
    failPoll: (error, description = error) => stage.deviceCodes.failNext(error, description),

    expireTokens: () => stage.tokens.expireAll(),
    revokeGithubToken: () => {
      stage.revocations += 1;
    },
    refuseMint: (refusal) => {
      stage.mintRefusal = refusal;
    },
    allowMint: () => {
      stage.mintRefusal = null;
    },
    moveHost,
    nameOtherHost: (address) => {
      stage.otherHost = address;
    },

    setModels: (models) => {
      stage.catalog = models;
    },
    setPolicy: (model, state) => stage.setPolicy(model, state),
    failModels: (refusal) => {
      stage.modelsFailure = refusal;
    },
    refuseField: (path, model) => {
      const field = { path, model: model ?? null };
      stage.refusedFields.push(field);
      return () => {
        stage.refusedFields = stage.refusedFields.filter((other) => other !== field);
      };
    },
    narrow: (model, less) => {
      const narrowing = { model, less };
      stage.narrowings.push(narrowing);
      return () => {
        stage.narrowings = stage.narrowings.filter((other) => other !== narrowing);
      };
    },
    acceptSignature: (signature) => void stage.acceptedSignatures.add(signature),
    quirks: (quirks) => {
      stage.quirks = quirks;
    },

    setAuto: (models, lifeSeconds) => {
      stage.autoSessions.models = models;
      if (lifeSeconds !== undefined) stage.autoSessions.lifeSeconds = lifeSeconds;
    },
    setRemaining: (credits) => {
      if (credits === null) stage.user.entitlement = null;
      else stage.user.remaining = credits;
    },
    setWindows: (windows) => {
      stage.windows = windows;
    },

    violations: stage.violations,
  };
}

/** A Copilot token that this simulator handed out. It belongs to one address, as real ones do. */
interface CopilotToken {
  value: string;
  /** Its stand-in in recordings. */
  name: string;
  host: string;
  /** ms since the epoch. */
  expiresAt: number;
  dead: boolean;
}

/** Seconds that a token lives on after it should have been refreshed. */
const graceSeconds = 300;

export class CopilotTokens {
  readonly #byValue = new Map<string, CopilotToken>();
  #count = 0;

  mint(host: string, sku: string, refreshIn: number): CopilotToken {
    this.#count += 1;
    const expiresAt = Date.now() + (refreshIn + graceSeconds) * 1000;
    const facts = `tid=${randomUUID()};exp=${Math.floor(expiresAt / 1000)};sku=${sku};proxy-ep=proxy.simulated.invalid;st=dotcom;chat=1;simulated=1`;
    const value = `${facts}:${createHash('sha256').update(facts).digest('hex')}`;
    const token = { value, name: `<copilot-token-${this.#count}>`, host, expiresAt, dead: false };
    this.#byValue.set(value, token);
    return token;
  }

  find(value: string): CopilotToken | null {
    return this.#byValue.get(value) ?? null;
  }

  expireAll(): void {
    for (const token of this.#byValue.values()) token.dead = true;
  }

  static lives(token: CopilotToken): boolean {
    return !token.dead && token.expiresAt > Date.now();
  }
}
