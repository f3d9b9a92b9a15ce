import { type SearchOutcome, type SearchQuery, usualResults } from '../../../api/search.ts';
import { isObject, type JsonObject } from '../../../formats/wire/json.ts';
import { msg } from '../../../language/messages.ts';
import type { Clock } from '../../../ports.ts';
import { cutAt } from '../../../words/text.ts';
import { refuseField } from '../../clients/openai-fields.ts';
import type { WebSearch } from '../../dependencies.ts';
import type { Ended, Joined } from '../../feature.ts';
import type { Verdict } from '../../initiator/verdict.ts';
import { LruMap } from '../../lru-map.ts';
import { causeOf } from '../../own-requests.ts';
import { refuse, Stopped } from '../../recover/error.ts';
import { quoted, textOf } from './found.ts';
import { searchNote } from './port.ts';
import { readLocation, textsIn } from './tool.ts';

/**
 * `POST /alpha/search`, by which Codex runs its own tool `web.run` (openai/codex, codex-rs/codex-api/src/search.rs):
 * commands and settings in, one text out. Of the commands the search of the web is known here.
 */
interface AlphaSearch {
  model: string | null;
  queries: readonly Omit<SearchQuery, 'count'>[];
  /** Queries beyond those that are made for one request. */
  beyond: number;
  /** Commands that Jumpseat does not have. */
  unknown: readonly string[];
  /** The client allows no look at the web. */
  offline: boolean;
  /** Characters. */
  longest: number;
}

const mostQueries = 8;
const charactersPerToken = 4;
const longestOutput = 60_000;

/** Throws `Stopped` where it is none. */
function readAlphaSearch(body: unknown): AlphaSearch {
  if (!isObject(body)) throw refuseField('body', 'a JSON object is required.', 'invalid_body');
  const { model, commands, max_output_tokens: tokens } = body;
  if (!isObject(commands)) throw refuseField('commands', 'an object is required.', 'invalid_type');
  const settings = isObject(body.settings) ? body.settings : {};
  const asked: unknown[] = Array.isArray(commands.search_query) ? commands.search_query : [];
  const names = Object.entries(commands).filter(([, value]) => Array.isArray(value) && value.length > 0);
  return {
    model: typeof model === 'string' && model !== '' ? model : null,
    queries: asked.slice(0, mostQueries).map((each, at) => queryOf(each, settings, `commands.search_query[${at}].q`)),
    beyond: Math.max(0, asked.length - mostQueries),
    unknown: names.map(([name]) => name).filter((name) => name !== 'search_query'),
    offline: settings.external_web_access === false,
    longest:
      typeof tokens === 'number' && tokens > 0 ? Math.min(longestOutput, tokens * charactersPerToken) : longestOutput,
  };
}

function queryOf(asked: unknown, settings: JsonObject, place: string): Omit<SearchQuery, 'count'> {
  if (!isObject(asked) || typeof asked.q !== 'string')
    throw refuseField(place, 'a string is required.', 'invalid_type');
  const filters = isObject(settings.filters) ? settings.filters : {};
  const own = textsIn(asked.domains);
  return {
    query: asked.q,
    allowed: own.length > 0 ? own : textsIn(filters.allowed_domains),
    blocked: textsIn(filters.blocked_domains),
    location: isObject(settings.user_location) ? readLocation(settings.user_location) : null,
  };
}

/** Initiator: agent if a model has called for it, otherwise user. */
function alphaVerdict(called: boolean): Verdict {
  const said = called
    ? ({
        initiator: 'agent',
        code: 'auxiliary',
        rule: 'web-run',
        sentence: msg('a search that the model called for'),
      } as const)
    : ({
        initiator: 'user',
        code: 'unclear',
        rule: 'unsure',
        sentence: 'unclear who started it; counted as yours',
      } as const);
  const interactionType = called ? 'conversation-background' : 'conversation-agent';
  return { ...said, interactionType, intent: 'conversation-agent', interactionId: null, ledgerKey: null };
}

/** The text that the model gets. */
async function answerAlphaSearch(joined: Joined, asked: AlphaSearch, search: WebSearch): Promise<string> {
  if (!search.isOn())
    throw new Stopped(refuse(400, 'policy_blocked', 'search-off', `Jumpseat: ${search.whyOff()}`, false));
  const { signal } = joined.call;
  const cause = causeOf(joined, joined.row.initiator === 'agent');
  const parts = asked.unknown.map((name) => `web.run cannot do "${name}" here. Use search_query.`);
  if (asked.offline && asked.queries.length > 0)
    parts.push('The settings allow no look at the web: nothing was searched.');
  const queries = asked.offline ? [] : asked.queries;
  const outcomes = await Promise.all(
    queries.map((query) => search.search({ ...query, count: usualResults }, { signal, cause })),
  );
  signal.throwIfAborted();
  for (const [at, outcome] of outcomes.entries()) {
    joined.row.fits.push(searchNote(outcome));
    parts.push(partOf(queries[at]?.query ?? '', outcome));
  }
  if (asked.beyond > 0 && !asked.offline)
    parts.push(`${asked.beyond} more queries were not searched: ${mostQueries} are made for one call. Ask again.`);
  if (parts.length === 0) parts.push('There was nothing to do. Give search_query a list of queries.');
  const whole = parts.join('\n\n');
  return whole.slice(0, cutAt(whole, asked.longest));
}

function partOf(query: string, outcome: SearchOutcome): string {
  const head = `Search for “${query}”:`;
  if (outcome.kind === 'failed') return `${head} it failed. ${outcome.reason} ${outcome.remedy}`;
  if (outcome.results.length === 0) {
    return outcome.summary === null ? `${head} nothing was found.` : `${head}\n${quoted(outcome.summary)}`;
  }
  const pages = outcome.results.map((result, at) => {
    const age = result.pageAge === null ? '' : ` (${result.pageAge})`;
    return `[${at + 1}] ${result.title}${age}\n${result.url}\n${textOf(result)}`;
  });
  return `${head}\n${quoted(pages.join('\n\n'))}`;
}

/** Initiator of Codex's search, and the text for the model. Throws `Stopped` if the body is none. */
export function alphaSearch(
  body: unknown,
  joined: Joined,
  { search, webRuns }: { search: WebSearch; webRuns: WebRuns },
) {
  const asked = readAlphaSearch(body);
  const verdict = alphaVerdict(webRuns.take(joined.row.client));
  return { model: asked.model, verdict, answer: () => answerAlphaSearch(joined, asked, search) };
}

/** An answer under way or ended, as far as its calls matter. */
interface Answered {
  row: Pick<Ended['row'], 'client'>;
  facts: { blocks: readonly { name: string | null }[] };
}

/** Calls of an ended answer whose searches are still to be made. */
interface Calls {
  left: number;
  /** End by the clock's ticks, in ms. */
  until: number;
}

/** The function `run` of Codex's namespace `web`, in the form that models get. */
export const webRun = 'web__run';
const clientsKept = 1000;
/** Codex begins at once, perhaps one search after the other. Searches not begun by then are skipped. */
export const beginsWithinMs = 60_000;

/**
 * Searches that models have called for with Codex's own tool, which Codex makes by a request of its own: a sign that
 * a person can't type. Each stands for one request, which comes soon. In this process alone.
 */
export class WebRuns {
  readonly #underWay: () => Iterable<Answered>;
  readonly #clock: Pick<Clock, 'ticks'>;
  /** Made for calls of answers that still run. */
  readonly #made = new WeakMap<Answered, number>();
  /** Calls by the client's label. */
  readonly #called = new LruMap<Calls[]>(clientsKept);

  constructor(underWay: () => Iterable<Answered>, clock: Pick<Clock, 'ticks'>) {
    this.#underWay = underWay;
    this.#clock = clock;
  }

  ended(answer: Answered): void {
    const left = this.#leftOf(answer);
    if (left < 1) return;
    const { client } = answer.row;
    this.#called.keep(client, [...this.#takeOut(client), { left, until: this.#clock.ticks() + beginsWithinMs }]);
  }

  /** True: a model has called for this one. Codex may begin it while the answer that calls for it still runs. */
  take(client: string): boolean {
    for (const answer of this.#underWay()) {
      if (answer.row.client !== client || this.#leftOf(answer) < 1) continue;
      this.#made.set(answer, (this.#made.get(answer) ?? 0) + 1);
      return true;
    }
    const called = this.#takeOut(client);
    const last = called.pop();
    if (last === undefined) return false;
    if (last.left > 1) called.push({ left: last.left - 1, until: this.#clock.ticks() + beginsWithinMs });
    if (called.length > 0) this.#called.keep(client, called);
    return true;
  }

  #leftOf(answer: Answered): number {
    return answer.facts.blocks.filter(({ name }) => name === webRun).length - (this.#made.get(answer) ?? 0);
  }

  /** Calls whose time is not over. */
  #takeOut(client: string): Calls[] {
    const now = this.#clock.ticks();
    return (this.#called.takeOut(client) ?? []).filter(({ until }) => now < until);
  }
}
