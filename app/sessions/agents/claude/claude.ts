import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OfferedMode, OfferedModel } from '../../../api/session-surroundings.ts';
import type { ClaudeCodeModels } from '../../../claude-code/env-snippet.ts';
import { claudeSettingsPath } from '../../../claude-code/settings-file.ts';
import type { ClientModel } from '../../../clients/program.ts';
import { isObject } from '../../../formats/wire/json.ts';
import type { SigningKey } from '../../../packages/newest-version.ts';
import type { Clock, Log, Paths } from '../../../ports.ts';
import type { Launcher } from '../../../processes/launch.ts';
import type { AgentDescription } from '../agent.ts';
import { AgentPrograms, type ProgramDependencies } from '../agent-programs.ts';
import { type Build, type CopiesDependencies, ProgramCopies } from '../program-copies.ts';
import { ownProxies } from '../sparse-environment.ts';
import { agentSdk, claudePins, oldestClaude, sdkModule } from './claude-packages.ts';
import { neverAsking, sessionSettings, settingsFolder, startRequest, writeSettings } from './session-settings.ts';

interface ClaudeDependencies extends ProgramDependencies, ModelSources {
  /** `linux-x64-musl`; see `claudeSystem`. */
  system: string;
  clock: Clock;
  log: Log;
  paths: Pick<Paths, 'home'>;
  launcher: Launcher;
  /** The bundle of `entry/entry.ts`. */
  entryFile: string;
  /** Jumpseat's. */
  version: string;
  fetched: ProgramDependencies['fetched'] & CopiesDependencies['fetched'];
  isRoot: boolean;
  web: WebChoices;
  /** Instead of those that this Jumpseat was built for. */
  pins?: readonly [Build, ...Build[]] | null;
  /** Instead of npm's own. */
  signingKeys?: readonly SigningKey[];
  /** True if unused packages may be deleted: no other process of Jumpseat runs sessions with them. */
  ownsPackages?(): boolean;
}

/** Asked at every start of a session. */
export interface WebChoices {
  /**
   * Jumpseat answers Claude Code's own searches, without a request to Copilot and without another key. Where it does
   * not, the model is offered none: it would be refused.
   */
  search(): boolean;
  /** Claude Code may ask Anthropic about the domain of a page before it reads it. */
  fetchPreflight(): boolean;
}

/** Where its own process keeps what is the person's, by the home in its environment. */
function configFolder({ environment, platform }: ClaudeDependencies): string {
  const home = platform === 'win32' ? environment.USERPROFILE : environment.HOME;
  return dirname(claudeSettingsPath(environment, home));
}

/** Claude Code, run by claude-agent-acp with our additions. */
export function claudeAgent(dependencies: ClaudeDependencies): AgentDescription {
  const { environment, fetched, paths, pins = claudePins(dependencies.system) } = dependencies;
  const copies =
    pins === null
      ? null
      : new ProgramCopies({
          ...{ pins, oldest: oldestClaude, fetched, records: join(paths.home, 'signed') },
          ...(dependencies.signingKeys && { keys: dependencies.signingKeys }),
          leader: async () => ((await fetched.placeOf(agentSdk)) === null ? [agentSdk] : []),
          tryProgram: async (file, version, signal) => {
            const leader = await fetched.program(agentSdk, sdkModule);
            const { tryClaude } = await import('./connect-claude.ts');
            await tryClaude({ file, version, leader }, dependencies, signal);
          },
        });
  let running = 0;
  const tidy = async (): Promise<void> => {
    if (running > 0 || dependencies.ownsPackages?.() !== true) return;
    await copies?.tidy();
    if ((await fetched.placeOf(agentSdk)) !== null) await fetched.tidy(agentSdk);
  };
  const programs = new AgentPrograms(
    {
      title: 'Claude Code',
      command: 'claude',
      oldest: oldestClaude,
      build: pins?.[0] ?? null,
      ...(copies && { copies }),
      leader: {
        package: agentSdk,
        module: sdkModule,
        missing: 'Anthropic’s Agent SDK, which leads Claude Code, isn’t here: its terms let nobody else pass it on.',
      },
    },
    dependencies,
  );
  return {
    name: 'claude',
    title: 'Claude Code',
    availability: () => programs.availability(),
    sources: () => programs.sources(),
    refuseFile: (path) => programs.refuseFile(path),
    removeCopy: async () => {
      if (pins !== null) await fetched.remove(pins[0].package);
    },
    ...(copies && {
      updates: { look: ({ signal }) => copies.look(signal), fetch: (options) => copies.update(options) },
    }),
    tidy,
    modes: claudeModes(dependencies.isRoot),
    models: () => claudeModels(dependencies),
    respectsTrust: claudeHeeds,
    plans: join(configFolder(dependencies), 'plans'),
    mcp: { http: true, sse: true, acp: true },
    takesPlugins: true,
    fetch: async ({ from, ...options }) =>
      fetched.fetch(await programs.missing(from === undefined ? undefined : { from }), options),
    connect: async (handlers, options) => {
      running += 1;
      const ended = (): void => {
        running -= 1;
        void tidy();
      };
      try {
        const { program, leader } = await programs.paths();
        // Loaded when it is used, so that the start of the app stays short.
        const { connectClaude } = await import('./connect-claude.ts');
        const connection = await connectClaude({ program, leader }, handlers, dependencies, options.signal);
        void connection.exited.then(ended);
        return connection;
      } catch (error) {
        ended();
        throw error;
      }
    },
    prepare: async (start) => {
      const above = await excludeAbove(start.cwd, start.untrustedAbove, configFolder(dependencies));
      const promptLimits = Object.fromEntries(
        (await dependencies.offered()).map(({ id, limits }) => [id, limits.promptTokens]),
      );
      const settings = sessionSettings({
        ...{ baseUrl: start.baseUrl, key: start.key, webFetchPreflight: dependencies.web.fetchPreflight() },
        ...{ models: await dependencies.models(), promptLimits },
        ...{ pluginsOn: start.pluginsOn, pluginsOff: start.pluginsOff, fileDirectories: start.untrustedDirectories },
        asksForGit: (!start.trusted || start.untrustedDirectories.length > 0) && start.mode !== neverAsking,
        excluded: above.settings,
        proxies: ownProxies(environment),
      });
      const { path, release } = await writeSettings(settingsFolder(paths.home), settings);
      const given = { settingsPath: path, webSearch: dependencies.web.search(), offersNothingFrom: above.offerFrom };
      return { ...startRequest(start, given), release };
    },
  };
}

const asks = { asksNothing: false, refusal: null } as const;

/** Claude Code's permission modes. It refuses root the one in which nothing is asked. */
function claudeModes(isRoot: boolean): OfferedMode[] {
  return [
    { id: 'default', name: 'Ask first', ...asks },
    { id: 'acceptEdits', name: 'Accept edits', ...asks },
    { id: 'plan', name: 'Plan only', ...asks },
    { id: 'auto', name: 'Auto', ...asks },
    { id: neverAsking, name: 'Never ask', asksNothing: true, refusal: isRoot ? 'root' : null },
  ];
}

const claudeHeeds = [
  ...['.claude/settings.json', '.claude/settings.local.json', '.mcp.json', 'CLAUDE.md', 'CLAUDE.local.md'],
  ...['.claude/CLAUDE.md', '.claude/agents', '.claude/commands', '.claude/rules', '.claude/skills'],
];

interface ModelSources {
  /** The account's, for the names opus, sonnet and haiku. */
  models(): Promise<ClaudeCodeModels>;
  /** All that the account may use. */
  offered(): Promise<readonly Pick<ClientModel, 'id' | 'supports' | 'limits'>[]>;
}

const families = ['opus', 'sonnet', 'haiku'] as const;

/** Claude Code's own names for the newest of each family, then every model of the account, Claude's first. */
async function claudeModels({ models, offered }: ModelSources): Promise<OfferedModel[]> {
  const [named, all] = await Promise.all([models(), offered()]);
  const efforts = (id: string): string[] => [...(all.find((model) => model.id === id)?.supports.efforts ?? [])];
  const aliases = families.flatMap((id) => {
    const model = named[id];
    return model === null ? [] : [{ id, model, efforts: efforts(model) }];
  });
  const isClaude = ({ id }: { id: string }): boolean => id.startsWith('claude');
  const ordered = [...all.filter(isClaude), ...all.filter((model) => !isClaude(model))];
  return [...aliases, ...ordered.map(({ id }) => ({ id, model: id, efforts: efforts(id) }))];
}

/**
 * Claude Code reads and runs what lies in every folder above that of a session, and has no setting against it. So what
 * lies in those that the person doesn't trust is excluded piece by piece.
 */
interface ExcludedAbove {
  /** Settings of the session: files of instructions as patterns, servers of `.mcp.json` by name. */
  settings: { claudeMdExcludes?: string[]; disabledMcpjsonServers?: string[] };
  /** Folders whose skills, commands and agents have to be switched off once Claude Code has named them. */
  offerFrom: string[];
}

/** @param configFolder the person's own `.claude`, which is none of a folder's */
async function excludeAbove(cwd: string, folders: readonly string[], configFolder: string): Promise<ExcludedAbove> {
  if (folders.length === 0) return { settings: {}, offerFrom: [] };
  const ofFolders = folders.map((folder) => join(folder, '.claude')).filter((path) => path !== configFolder);
  const instructions = folders.flatMap((folder) =>
    ['CLAUDE.md', 'CLAUDE.local.md', 'AGENTS.md'].map((name) => join(folder, name)),
  );
  const trusted = new Set((await Promise.all(ancestors(cwd, folders).map(serverNames))).flat());
  const named = (await Promise.all(folders.map(serverNames))).flat();
  return {
    settings: {
      claudeMdExcludes: [...instructions.map(patternOf), ...ofFolders.map((path) => `${patternOf(path)}/**`)],
      // Of two of one name Claude Code takes the nearer one.
      disabledMcpjsonServers: [...new Set(named)].filter((name) => !trusted.has(name)),
    },
    offerFrom: ofFolders.filter((path) =>
      ['agents', 'commands', 'skills'].some((name) => existsSync(join(path, name))),
    ),
  };
}

/** The folder and those above it that are not in the list. */
function ancestors(folder: string, without: readonly string[]): string[] {
  const above = dirname(folder);
  const rest = above === folder ? [] : ancestors(above, without);
  return without.includes(folder) ? rest : [folder, ...rest];
}

/** Empty if there is no such file, or if Claude Code can't read it either. */
async function serverNames(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, '.mcp.json'), 'utf8').catch(() => '');
  try {
    const { mcpServers }: { mcpServers?: unknown } = Object(JSON.parse(text));
    return isObject(mcpServers) ? Object.keys(mcpServers) : [];
  } catch {
    return [];
  }
}

/**
 * A picomatch pattern that matches this path. Claude Code reads a backslash as a separator, so characters with a
 * meaning in patterns can't be escaped: each becomes `?`, which matches one character.
 */
function patternOf(path: string): string {
  return path.replaceAll('\\', '/').replace(/[()[\]{}*+@!$^|]/g, '?');
}
