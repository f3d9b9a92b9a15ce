import type { App } from '../../api/app.ts';
import type { AgentSource, AgentState } from '../../api/sessions.ts';
import { shownPath } from '../../claude-code/settings-file.ts';
import { type Message, msg } from '../../language/messages.ts';
import { sentences } from '../../language/sentences.ts';
import { t, translated } from '../../language/translate.ts';
import { bytes } from '../../words/numbers.ts';
import { CommandFailure } from '../failure.ts';
import { type Surroundings, withApp } from '../surroundings.ts';

interface SessionProgramOptions {
  json?: boolean;
  fetch?: boolean;
  checkNewer?: boolean;
  update?: boolean;
}

const places: Readonly<Record<AgentSource, Message>> = {
  own: msg('the claude on this machine'),
  fetched: msg('the copy that Jumpseat fetched'),
  file: msg('the file that was chosen'),
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
      terminal.progress(
        t('Fetching, {received} of {total}', { received: bytes(fetching.received), total: bytes(fetching.total) }),
      );
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
    const remedy = from === null ? t('Fetch one first: --fetch.') : t('Run "{command}".', { command: 'claude update' });
    throw new CommandFailure(t('Sessions don’t run with a copy that Jumpseat fetched.'), remedy);
  }
  if (sources?.copy?.newer === null) await app.findNewerAgent('claude');
  await app.updateAgent('claude');
}

async function claudeOf(app: App): Promise<AgentState> {
  const claude = (await app.agents()).find(({ name }) => name === 'claude');
  if (claude === undefined) throw new CommandFailure(t('Jumpseat has no Claude Code here.'), '');
  return claude;
}

function programLines(claude: AgentState, newest: string | null): string[] {
  const { version, from, path, problem, fetchable, sources } = claude;
  if (problem !== null || from === null) {
    const size =
      fetchable === null ? [] : [t('jumpseat sessions --fetch   fetches {size}', { size: bytes(fetchable.bytes) })];
    return [sentences(problem?.text ?? '', problem?.remedy ?? ''), ...size];
  }
  const newer = from === 'fetched' ? (sources?.copy?.newer ?? null) : null;
  return [
    t('Claude Code {version}, {place}', { version: version ?? '', place: translated(places[from]) }),
    ...(path === null ? [] : [shownPath(path)]),
    ...(newer === null
      ? []
      : [
          t('Newer: {version} ({size}). jumpseat sessions --update', {
            version: newer.version,
            size: bytes(newer.bytes),
          }),
        ]),
    ...(newest === null ? [] : [t('{version} is the newest.', { version: newest })]),
  ];
}
