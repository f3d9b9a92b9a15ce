import type { App } from '../../api/app.ts';
import type { AgentSource, AgentState } from '../../api/sessions.ts';
import { shownPath } from '../../claude-code/settings-file.ts';
import { bytes } from '../../words/numbers.ts';
import { CommandFailure } from '../failure.ts';
import { type Surroundings, withApp } from '../surroundings.ts';

interface SessionProgramOptions {
  json?: boolean;
  fetch?: boolean;
  checkNewer?: boolean;
  update?: boolean;
}

const places: Readonly<Record<AgentSource, string>> = {
  own: 'the claude on this machine',
  fetched: 'the copy that Jumpseat fetched',
  file: 'the file that was chosen',
};

/**
 * `jumpseat sessions --program`: which Claude Code sessions run with. Nothing is fetched, and no registry is asked,
 * without the option that says so.
 */
export async function sessionProgram(surroundings: Surroundings, options: SessionProgramOptions): Promise<number> {
  const { terminal } = surroundings;
  return withApp(surroundings, {}, async ({ app }) => {
    const stop = app.listen((event) => {
      const fetching = event.event === 'agent' && event.agent.name === 'claude' ? event.agent.fetching : null;
      if (fetching === null || fetching.total === null) return;
      terminal.progress(`Fetching, ${bytes(fetching.received)} of ${bytes(fetching.total)}`);
    });
    const left = (): void => void app.stopFetching('claude').catch(() => undefined);
    terminal.left.addEventListener('abort', left);
    try {
      const newest = options.checkNewer ? await app.findNewerAgent('claude') : null;
      if (options.fetch) await app.fetchAgent('claude');
      if (options.update) await update(app);
      terminal.progress(null);
      const claude = await claudeOf(app);
      if (options.json) terminal.out(JSON.stringify(claude));
      else
        for (const line of programLines(claude, newest?.isNewer === false ? newest.version : null)) terminal.out(line);
      return claude.isAvailable ? 0 : 1;
    } finally {
      terminal.progress(null);
      terminal.left.removeEventListener('abort', left);
      stop();
    }
  });
}

/** Updates to the newer version if one is known; otherwise asks the registry. */
async function update(app: App): Promise<void> {
  const { from, sources } = await claudeOf(app);
  if (from !== 'fetched') {
    const remedy = from === null ? 'Fetch one first: --fetch.' : 'Run "claude update".';
    throw new CommandFailure('Sessions don’t run with a copy that Jumpseat fetched.', remedy);
  }
  if (sources?.copy?.newer === null) await app.findNewerAgent('claude');
  await app.updateAgent('claude');
}

async function claudeOf(app: App): Promise<AgentState> {
  const claude = (await app.agents()).find(({ name }) => name === 'claude');
  if (claude === undefined) throw new CommandFailure('Jumpseat has no Claude Code here.', '');
  return claude;
}

function programLines(claude: AgentState, newest: string | null): string[] {
  const { version, from, path, problem, fetchable, sources } = claude;
  if (problem !== null || from === null) {
    const size = fetchable === null ? [] : [`jumpseat sessions --fetch   fetches ${bytes(fetchable.bytes)}`];
    return [`${problem?.text ?? ''} ${problem?.remedy ?? ''}`.trim(), ...size];
  }
  const newer = from === 'fetched' ? (sources?.copy?.newer ?? null) : null;
  return [
    `Claude Code ${version}, ${places[from]}`,
    ...(path === null ? [] : [shownPath(path)]),
    ...(newer === null ? [] : [`Newer: ${newer.version} (${bytes(newer.bytes)}). jumpseat sessions --update`]),
    ...(newest === null ? [] : [`${newest} is the newest.`]),
  ];
}
