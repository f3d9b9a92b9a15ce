import { isObject } from '../../formats/wire/json.ts';
import type { LessonTable } from '../../history/lesson-table.ts';
import type { Clock, Log } from '../../ports.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import type { WebSearch } from '../dependencies.ts';
import type { Ended, Feature, Joined, Joining, Part } from '../feature.ts';
import { asksForAuto } from '../model/resolve.ts';
import { choosesModel } from './auto.ts';
import { Lessons } from './lessons/lessons.ts';
import { Recovering } from './lessons/recovering.ts';
import { notesWebFetch } from './web-fetch.ts';
import { alphaSearch, WebRuns, webRun } from './web-search/codex.ts';
import { PausedTurns } from './web-search/paused-turns.ts';
import { searchesHere } from './web-search/rounds.ts';
import { SideSearches, searchTool } from './web-search/side-search.ts';

interface FeaturesDependencies {
  lessons: LessonTable;
  search: WebSearch;
  settings: SettingsStore;
  clock: Clock;
  log: Log;
}

/**
 * What some requests need and most do not: a row each. The looks stand here, so that a request which needs none of them
 * enters none of their files.
 */
export class Features {
  readonly #list: readonly Feature[];
  readonly #search: WebSearch;
  /** Searches that Codex makes for models. */
  readonly #webRuns: WebRuns;

  constructor({ lessons: table, search, settings, clock, log }: FeaturesDependencies, underWay: () => Iterable<Ended>) {
    const webRuns = new WebRuns(underWay, clock);
    const sideSearches = new SideSearches(search, underWay);
    const pausedTurns = new PausedTurns();
    const lessons = new Lessons(table);
    this.#search = search;
    this.#webRuns = webRuns;
    this.#list = [
      { join: (asked) => (mayBePaused(asked) ? pausedTurns.join(asked) : null) },
      {
        join: (asked) => (asksForModel(asked, settings.current().modelOverrides) ? choosesModel(asked) : null),
      },
      { join: (asked) => (asked.reading.tail.tools.includes('WebFetch') ? notesWebFetch(asked) : null) },
      {
        join: (asked) => (offersSearch(asked.request) && search.isOn() ? sideSearches.join(asked) : null),
        ended: (run) => (calls(run, searchTool) ? sideSearches.ended(run) : undefined),
      },
      {
        join: ({ request }) =>
          offersSearch(request) && search.isOn()
            ? searchesHere({ search, paused: (row, id) => pausedTurns.paused(row, id) })
            : null,
      },
      { ended: (run) => (calls(run, webRun) ? webRuns.ended(run) : undefined) },
      {
        join: ({ row: { id }, used }) => (used.reach === 'directly' ? learning({ lessons, table, log, id }) : null),
      },
    ];
  }

  /** The parts that this request needs. */
  join(asked: Joining): Part[] {
    const parts: Part[] = [];
    for (const { join } of this.#list) {
      const part = join?.(asked) ?? null;
      if (part !== null) parts.push(part);
    }
    return parts;
  }

  ended(run: Ended): void {
    for (const { ended } of this.#list) ended?.(run);
  }

  /** Codex's own search. Throws `Stopped` where the body is none. */
  alphaSearch(body: unknown, joined: Joined): ReturnType<typeof alphaSearch> {
    return alphaSearch(body, joined, { search: this.#search, webRuns: this.#webRuns });
  }
}

/** The model may search, or an answer comes back that may have been paused for it. */
function mayBePaused({ request }: Joining): boolean {
  if (offersSearch(request)) return true;
  const last: unknown = isObject(request) && Array.isArray(request.messages) ? request.messages.at(-1) : null;
  return isObject(last) && last.role === 'assistant';
}

function asksForModel({ request }: Joining, overrides: Readonly<Record<string, string>>): boolean {
  return isObject(request) && typeof request.model === 'string' && asksForAuto(request.model, overrides);
}

/** In any of the APIs. */
function offersSearch(request: unknown): boolean {
  if (!isObject(request)) return false;
  if (request.web_search_options !== undefined && request.web_search_options !== null) return true;
  return Array.isArray(request.tools) && request.tools.some(isSearch);
}

function isSearch(tool: unknown): boolean {
  return isObject(tool) && typeof tool.type === 'string' && tool.type.startsWith('web_search');
}

function calls({ facts }: Ended, tool: string): boolean {
  return facts.blocks.some(({ name }) => name === tool);
}

/** What Copilot refused from us says nothing of VS Code's requests, nor the other way round. */
function learning(given: { lessons: Lessons; table: LessonTable; log: Log; id: string }): Part {
  const { lessons, table, log, id } = given;
  let recovering: Recovering | null = null;
  return {
    learned: (model, path) => (table.of(model.id, path).length === 0 ? null : lessons.about(model, path)),
    refusal: (failure, plan, model) => {
      recovering ??= new Recovering({ lessons, log, exchange: id });
      return recovering.refusal(failure, plan, model);
    },
    taken: (model) => recovering?.taken(model),
  };
}
