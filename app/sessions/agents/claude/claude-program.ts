import { stat } from 'node:fs/promises';
import { type ClaudeVersion, claudeOnPath, claudeVersion, compareVersions } from '../../../claude-code/version.ts';
import type { Package } from '../../../packages/package.ts';
import type { Availability } from '../agent.ts';
import { AgentError } from '../agent-error.ts';
import type { Fetched } from '../fetched.ts';
import { agentSdk, claudePackage, oldestClaude } from './claude-packages.ts';

export interface ClaudeProgramDependencies {
  environment: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  fetched: Pick<Fetched, 'placeOf' | 'program' | 'fetch'>;
  /** `linux-x64-musl` */
  system: string;
}

interface Found {
  version: string;
  from: 'own' | 'fetched';
  /** Of the program; rejects with `AgentError` where it was altered. */
  path(): Promise<string>;
}

/** Which Claude Code leads sessions: the person's own where it is new enough, else the one that was fetched. */
export class ClaudeProgram {
  readonly #dependencies: ClaudeProgramDependencies;
  /** What the person's own said of itself, until the file changes. */
  #own: { path: string; changed: number; said: Promise<ClaudeVersion> } | null = null;

  constructor(dependencies: ClaudeProgramDependencies) {
    this.#dependencies = dependencies;
  }

  async availability(): Promise<Availability> {
    const found = await this.#find();
    const missing = await this.missing();
    if (found !== null && missing.length === 0) return { available: true, version: found.version, from: found.from };
    const bytes = missing.reduce((all, one) => all + one.bytes, 0);
    const own = await this.#ownVersion();
    const needsClaude = found === null;
    if (needsClaude && claudePackage(this.#dependencies.system) === null) {
      return {
        available: false,
        kind: 'unsupported-system',
        reason: `${whyNotOwn(own)}, and Anthropic has none for ${this.#dependencies.system}.`,
        mend: `Install Claude Code ${oldestClaude} or newer.`,
        fetchable: null,
      };
    }
    return {
      available: false,
      kind: needsClaude && own?.kind === 'found' ? 'too-old' : 'missing',
      reason: needsClaude
        ? `${whyNotOwn(own)}.`
        : 'What leads Claude Code, Anthropic’s Agent SDK, isn’t on this machine: its terms let nobody pass it on.',
      mend: needsClaude
        ? 'Let Jumpseat fetch Claude Code from the npm registry, or install it yourself.'
        : 'Let Jumpseat fetch it from the npm registry.',
      fetchable: { bytes },
    };
  }

  /** What `fetch` has to bring. */
  async missing(): Promise<Package[]> {
    const { fetched, system } = this.#dependencies;
    const claude = (await this.#find()) === null ? claudePackage(system) : null;
    const missing = (await fetched.placeOf(agentSdk)) === null ? [agentSdk] : [];
    return claude === null ? missing : [...missing, claude.package];
  }

  /** Where the program and the Agent SDK are, ready to be run. Rejects with `AgentError`. */
  async paths(): Promise<{ claude: string; sdk: string }> {
    const found = await this.#find();
    if (found === null) {
      const words = await this.availability();
      const [reason, mend] = words.available ? ['Claude Code is gone.', 'Try again.'] : [words.reason, words.mend];
      throw new AgentError('unavailable', reason, mend);
    }
    return { claude: await found.path(), sdk: await this.#dependencies.fetched.program(agentSdk, 'sdk.mjs') };
  }

  async #find(): Promise<Found | null> {
    const own = await this.#ownVersion();
    if (own?.kind === 'found' && compareVersions(own.version, oldestClaude) >= 0) {
      return { version: own.version, from: 'own', path: async () => own.path };
    }
    const { fetched, system } = this.#dependencies;
    const build = claudePackage(system);
    if (build === null || (await fetched.placeOf(build.package)) === null) return null;
    const path = (): Promise<string> => fetched.program(build.package, build.program);
    return { version: build.package.version, from: 'fetched', path };
  }

  /** Asked once for each file that it is. Null: there is none on the PATH. */
  async #ownVersion(): Promise<ClaudeVersion | null> {
    const { environment, platform } = this.#dependencies;
    const path = await claudeOnPath(environment, platform);
    const found = path === null ? null : await stat(path).catch(() => null);
    if (path === null || found === null) return null;
    if (this.#own?.path !== path || this.#own.changed !== found.mtimeMs) {
      this.#own = { path, changed: found.mtimeMs, said: claudeVersion(environment, { platform }) };
    }
    const said = await this.#own.said;
    // A busy machine may have been too slow for it: it is asked again.
    if (said.kind !== 'found') this.#own = null;
    return said;
  }
}

function whyNotOwn(own: ClaudeVersion | null): string {
  if (own?.kind === 'found') return `Claude Code ${own.version} on the PATH is older than ${oldestClaude}`;
  if (own?.kind === 'silent') return `${own.path} can’t be used: ${own.reason}`;
  return 'There is no Claude Code on the PATH';
}
