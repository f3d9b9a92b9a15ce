import { stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { Problem } from '../../api/call.ts';
import type { AgentSource, AgentSources, FoundProgram } from '../../api/sessions.ts';
import {
  type ClaudeVersion,
  compareVersions,
  programOnPath,
  programVersion,
  startable,
  versionWords,
} from '../../claude-code/version.ts';
import { msg } from '../../language/messages.ts';
import { asSentence } from '../../language/sentences.ts';
import { t, translated } from '../../language/translate.ts';
import type { Package } from '../../packages/package.ts';
import { AgentError, type Availability } from './agent.ts';
import type { Fetched } from './fetched.ts';
import type { Build, ProgramCopies } from './program-copies.ts';

/** What this machine needs to run an agent. */
export interface Needs {
  /** `Claude Code` */
  title: string;
  /** How a person's own is called on the PATH. */
  command: string;
  oldest: string;
  /** Its leader can start a script for Windows’ shell as well. */
  startsScripts?: true;
  /** What is fetched where the person has none; null if there is none for this system. */
  build: Build | null;
  /** Copies to choose from, if other versions than `build` may exist. */
  copies?: Pick<ProgramCopies, 'inUse' | 'newer'>;
  /** Its adapter, which no machine has by itself: a package's module, and a sentence for when it is missing. */
  leader: { package: Package; module: string; missing: string };
}

export interface ProgramDependencies {
  environment: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  fetched: Pick<Fetched, 'placeOf' | 'program' | 'versions' | 'fetch' | 'remove'>;
  /** What the person chose; left out: nothing. */
  choice?(): ProgramChoice;
}

interface Found {
  version: string;
  from: AgentSource;
  /** Path of the program; rejects with `AgentError` if it was altered. */
  path(): Promise<string>;
  /** Path to show. */
  place: string;
}

/**
 * Which program an agent's sessions run: what the person chose; else their own where it is new enough, else the one
 * that was fetched.
 */
export class AgentPrograms {
  readonly #needs: Needs;
  readonly #dependencies: ProgramDependencies;
  /** What programs of the person said of themselves, by their paths, until the file changes. */
  readonly #said = new Map<string, { changed: number; said: Promise<ClaudeVersion> }>();

  constructor(needs: Needs, dependencies: ProgramDependencies) {
    this.#needs = needs;
    this.#dependencies = dependencies;
  }

  async availability(): Promise<Availability> {
    const { title, oldest, build, leader } = this.#needs;
    const found = await this.#find();
    const missing = await this.missing();
    if (found !== null && missing.length === 0) {
      const { version, from, place } = found;
      return { available: true, version, from, path: place };
    }
    const fetchable = { bytes: sizeOf(missing) };
    if (found !== null) {
      const remedy = t('Let Jumpseat fetch it from the npm registry.');
      return { available: false, kind: 'leader-missing', reason: leader.missing, remedy, fetchable };
    }
    const choice = this.#choice();
    const own = choice?.from === 'file' ? await this.#versionOf(choice.path) : await this.#ownVersion();
    const why = choice?.from === 'file' ? this.#whyNotFile(choice.path, own) : this.#whyNotOwn(own);
    const kind = own?.kind === 'found' ? 'too-old' : 'missing';
    if (choice?.from === 'file' || (choice?.from === 'own' && build !== null)) {
      return {
        available: false,
        kind,
        reason: asSentence(why),
        remedy: t('Choose where it comes from.'),
        fetchable: null,
      };
    }
    if (build === null) {
      const reason = t('{why}, and Jumpseat can’t fetch one for this system.', { why });
      const remedy = t('Install {title} {oldest} or newer.', { title, oldest });
      return { available: false, kind: 'unsupported-system', reason, remedy, fetchable: null };
    }
    return {
      ...{ available: false, kind },
      reason:
        choice?.from === 'fetched' ? t('The {title} that Jumpseat fetches isn’t here.', { title }) : asSentence(why),
      remedy: t('Let Jumpseat fetch {title} from the npm registry, or install {oldest} or newer yourself.', {
        title,
        oldest,
      }),
      fetchable,
    };
  }

  /** Where it may come from, and what is there. */
  async sources(): Promise<AgentSources> {
    const { oldest, build, leader } = this.#needs;
    const choice = this.#choice();
    const copy = await this.#copy();
    return {
      chosen: choice?.from ?? null,
      own: this.#asFound(await this.#ownVersion()),
      file: choice?.from === 'file' ? this.#asFound(await this.#versionOf(choice.path)) : null,
      copy:
        build === null
          ? null
          : {
              version: (copy ?? build).package.version,
              isHere: copy !== null,
              bytes: sizeOf(await this.missing({ from: 'fetched' })),
              newer: (await this.#needs.copies?.newer()) ?? null,
            },
      leaderBytes: (await this.#isLeaderHere()) ? 0 : leader.package.bytes,
      wasLed: (await this.#dependencies.fetched.versions(leader.package)).length > 0,
      oldest,
    };
  }

  /** What has to be fetched, as it was chosen or for another choice. */
  async missing(choice: ProgramChoice | { from: AgentSource } = this.#choice()): Promise<Package[]> {
    const { build, leader } = this.#needs;
    const missing = (await this.#isLeaderHere()) ? [] : [leader.package];
    if (build === null || choice?.from === 'own' || choice?.from === 'file') return missing;
    const isThere = choice === null ? (await this.#find()) !== null : (await this.#copy()) !== null;
    return isThere ? missing : [...missing, build.package];
  }

  /** Paths of the program and its adapter, ready to run. Rejects with `AgentError`. */
  async paths(): Promise<{ program: string; leader: string }> {
    const found = await this.#find();
    const words = await this.availability();
    if (found === null || !words.available) {
      const { title } = this.#needs;
      const [reason, remedy] = words.available
        ? [t('{title} has just gone.', { title }), t('Try again.')]
        : [words.reason, words.remedy];
      throw new AgentError('unavailable', reason, remedy);
    }
    const { leader } = this.#needs;
    const led = await this.#dependencies.fetched.program(leader.package, leader.module);
    return { program: await found.path(), leader: led };
  }

  /** Why a file can't be this program; null if it can. Runs it with `--version`. */
  async refuseFile(path: string): Promise<Problem | null> {
    const { environment, platform } = this.#dependencies;
    const { title, oldest } = this.#needs;
    const { said, reason } = await versionWords(path, environment, { platform });
    const version = /\d+\.\d+\.\d+/.exec(said)?.[0];
    const remedy = t('Choose the file of {title}.', { title });
    if (version === undefined || !said.includes(title)) {
      const line = said.trim().split('\n', 1)[0]?.slice(0, 200) ?? '';
      const silent =
        reason === null
          ? t('It printed nothing for --version.')
          : t('It printed nothing for --version: {reason}.', { reason });
      const text = line === '' ? silent : line;
      return { code: 'not-the-program', text, remedy };
    }
    if ((await this.#startable(path)) === null)
      return { code: 'not-the-program', text: t('{words}.', { words: translated(onlyForShell) }), remedy };
    if (compareVersions(version, oldest) >= 0) return null;
    return { code: 'too-old', text: t('It is {version}; {oldest} or newer is needed.', { version, oldest }), remedy };
  }

  async #find(): Promise<Found | null> {
    const choice = this.#choice();
    if (choice?.from !== 'fetched') {
      const own = choice?.from === 'file' ? await this.#versionOf(choice.path) : await this.#ownVersion();
      if (this.#isUsable(own)) {
        const { version, path } = own;
        const file = async (): Promise<string> => (await this.#startable(path)) ?? path;
        return { version, from: choice?.from ?? 'own', path: file, place: path };
      }
      if (choice !== null) return null;
    }
    const { fetched } = this.#dependencies;
    const copy = await this.#copy();
    const place = copy === null ? null : await fetched.placeOf(copy.package);
    if (copy === null || place === null) return null;
    const path = (): Promise<string> => fetched.program(copy.package, copy.program);
    return { version: copy.package.version, from: 'fetched', path, place: join(place, copy.program) };
  }

  /** The copy that sessions run; null if it has to be fetched. */
  async #copy(): Promise<Build | null> {
    const { build, copies } = this.#needs;
    if (copies !== undefined) return copies.inUse();
    return build !== null && (await this.#dependencies.fetched.placeOf(build.package)) !== null ? build : null;
  }

  #choice(): ProgramChoice {
    return this.#dependencies.choice?.() ?? null;
  }

  async #isLeaderHere(): Promise<boolean> {
    return (await this.#dependencies.fetched.placeOf(this.#needs.leader.package)) !== null;
  }

  #isUsable(version: ClaudeVersion | null): version is Extract<ClaudeVersion, { kind: 'found' }> {
    return version?.kind === 'found' && compareVersions(version.version, this.#needs.oldest) >= 0;
  }

  #asFound(version: ClaudeVersion | null): FoundProgram | null {
    if (version === null || version.kind === 'missing') return null;
    if (version.kind === 'silent') return { path: version.path, version: null, problem: 'silent' };
    return { path: version.path, version: version.version, problem: this.#isUsable(version) ? null : 'too-old' };
  }

  /** Null if there is none on the PATH. */
  async #ownVersion(): Promise<ClaudeVersion | null> {
    const { environment, platform } = this.#dependencies;
    const path = await programOnPath(this.#needs.command, environment, platform);
    return path === null ? null : this.#versionOf(path);
  }

  /** Asked once for each file that it is. Null if it isn't there. */
  async #versionOf(path: string): Promise<ClaudeVersion | null> {
    const { environment, platform } = this.#dependencies;
    const found = await stat(path).catch(() => null);
    if (found === null) return null;
    let known = this.#said.get(path);
    if (known?.changed !== found.mtimeMs) {
      known = { changed: found.mtimeMs, said: programVersion(path, environment, { platform }) };
      this.#said.set(path, known);
    }
    const said = await known.said;
    // A busy machine may have been too slow for it: it is asked again.
    if (said.kind !== 'found') this.#said.delete(path);
    if (said.kind !== 'found' || (await this.#startable(path)) !== null) return said;
    return { kind: 'silent', path, reason: onlyForShell };
  }

  /** What a session starts for this file; null if it can start nothing, whatever the file prints for --version. */
  async #startable(path: string): Promise<string | null> {
    return this.#needs.startsScripts ? path : startable(path, this.#dependencies.platform);
  }

  #whyNotOwn(own: ClaudeVersion | null): string {
    const { title, oldest } = this.#needs;
    if (own?.kind === 'found')
      return t('{title} {version} on the PATH is older than {oldest}', { title, version: own.version, oldest });
    if (own?.kind === 'silent') return t('{path} can’t be used: {reason}', { path: own.path, reason: own.reason });
    return t('There is no {title} on the PATH', { title });
  }

  #whyNotFile(path: string, file: ClaudeVersion | null): string {
    const { title, oldest } = this.#needs;
    if (file?.kind === 'found')
      return t('{title} {version} in {path} is older than {oldest}', { title, version: file.version, path, oldest });
    if (file?.kind === 'silent') return t('{path} can’t be used: {reason}', { path, reason: file.reason });
    return t('{title} was not found at {path}', { title, path });
  }
}

const onlyForShell = msg('cmd.exe alone can run this script');

function sizeOf(packages: readonly Package[]): number {
  return packages.reduce((all, { bytes }) => all + bytes, 0);
}

/** Where an agent's program comes from, as a person chose. Null: their own if it is new enough, otherwise the copy. */
export type ProgramChoice = { from: Exclude<AgentSource, 'file'> } | { from: 'file'; path: string } | null;

/** Reads the setting: `own`, `fetched`, or the whole path of a file. Anything else counts as not chosen. */
export function readChoice(setting: string | null): ProgramChoice {
  if (setting === 'own' || setting === 'fetched') return { from: setting };
  return setting !== null && isAbsolute(setting) ? { from: 'file', path: setting } : null;
}
