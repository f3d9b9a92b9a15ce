import { nodePaths } from '../../adapters/paths.ts';
import {
  type EngineName,
  engineNameSchema,
  type SearchAnswer,
  type SearchOutcome,
  searchOutcomeSchema,
} from '../../api/search.ts';
import type { AppState } from '../../api/state.ts';
import { t } from '../../language/translate.ts';
import { askRunning, callRunning, refusalIn } from '../../server/running-proxy.ts';
import { searchPath } from '../../server/search-route.ts';
import { engineNames, searchCostWords } from '../../words/search.ts';
import { shortened } from '../../words/text.ts';
import { CommandFailure, unreadableSignIn, wrongUsage } from '../failure.ts';
import { runningDoor } from '../running-jumpseat.ts';
import { type Surroundings, withApp } from '../surroundings.ts';
import type { Terminal } from '../terminal.ts';

interface SearchOptions {
  engine?: string;
  json?: boolean;
}

/** `jumpseat search`: the web, searched as it is for clients. It is the person's own request. */
export async function search(
  surroundings: Surroundings,
  words: readonly string[],
  options: SearchOptions,
): Promise<number> {
  const { terminal } = surroundings;
  const engine = readEngine(options.engine);
  const query = words.join(' ').trim();
  if (query === '') throw wrongUsage(t('There is nothing to search for.'), t('Write it behind "jumpseat search".'));
  const { outcome, state } = await searched(surroundings, query, engine);
  if (options.json) {
    terminal.out(JSON.stringify(outcome, null, 2));
    if (outcome.kind === 'found') return 0;
  }
  if (outcome.kind === 'failed') {
    const asksAccount = outcome.engine === 'copilot' || outcome.engine === 'github';
    const why = asksAccount && state !== null ? unreadableSignIn(state) : null;
    throw why ?? new CommandFailure(outcome.reason, outcome.remedy);
  }
  for (const line of searchLines(outcome, terminal)) terminal.out(line);
  return 0;
}

/** Searches through the running Jumpseat if there is one, so that the search gets its row in the log. */
async function searched(
  surroundings: Surroundings,
  query: string,
  engine: EngineName | null,
): Promise<{ outcome: SearchOutcome; state: AppState | null }> {
  const { lock } = nodePaths(surroundings.env);
  const way = await runningDoor(lock, 'jumpseat');
  if (way === null) {
    return withApp(surroundings, { owner: true }, async ({ app }) => {
      const outcome = await app.search(query, { engine });
      if (outcome.kind === 'failed') await app.trySecrets();
      return { outcome, state: app.state() };
    });
  }
  const answer = await askRunning(way, searchPath, JSON.stringify([query, { engine }]));
  // Not searched once more: it may have cost already.
  if (answer.status !== 200 || answer.text === null) {
    const refusal = refusalIn(answer);
    if (refusal !== null) throw new CommandFailure(refusal, '');
    throw new CommandFailure(
      t('The running Jumpseat didn’t answer.'),
      t('Search again; where that doesn’t help, restart it.'),
    );
  }
  const outcome = searchOutcomeSchema.parse(JSON.parse(answer.text));
  const state = outcome.kind === 'failed' ? await callRunning(lock, 'state') : null;
  return { outcome, state };
}

function readEngine(text: string | undefined): EngineName | null {
  if (text === undefined) return null;
  const read = engineNameSchema.exclude(['off']).safeParse(text);
  if (read.success) return read.data;
  const known = engineNameSchema.exclude(['off']).options.join(', ');
  throw wrongUsage(t('There is no engine "{given}".', { given: text }), t('Known are {known}.', { known }));
}

/** Text of pages is shown as it was quoted, and nothing in it acts on the terminal. */
function searchLines(answer: SearchAnswer, { style }: Pick<Terminal, 'style'>): string[] {
  const { engine, ms, cost, notes, results, summary } = answer;
  const facts = [engineNames[engine], `${(ms / 1000).toFixed(1)} s`, searchCostWords(cost), ...notes];
  const pages = results.flatMap(({ title, url, pageAge, text }, at) => [
    '',
    `${at + 1}. ${style('bold', oneLine(title))}${pageAge === null ? '' : ` ${style('dim', oneLine(pageAge))}`}`,
    `   ${url}`,
    // What the answer quotes isn't said twice.
    ...(text === '' || summary?.includes(text) ? [] : [`   ${shortened(oneLine(text), mostCharacters)}`]),
  ]);
  const said = summary === null ? [] : ['', style('bold', t('Answer')), ...summary.split('\n')];
  const found = results.length === 0 ? ['', t('Nothing was found.')] : pages;
  return [
    style('dim', facts.join(' · ')),
    ...said,
    ...(said.length === 0 ? [] : ['', style('bold', t('Pages'))]),
    ...found,
  ];
}

const mostCharacters = 300;

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
