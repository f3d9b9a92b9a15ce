import type { CopilotFailure } from '../../copilot/failures.ts';
import type { CatalogModel } from '../../copilot/model-entry.ts';
import { isObject } from '../../formats/wire/json.ts';
import type { LessonTable } from '../../history/lesson-table.ts';
import type { ScaleImage } from '../../images/scale-image.ts';
import type { Clock, Log } from '../../ports.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import type { WebSearch } from '../dependencies.ts';
import type { Again, Ended, Joined, Joining, Part, Replannable } from '../feature.ts';
import { asksForAuto } from '../model/resolve.ts';
import { choosesModel } from './auto.ts';
import { LargeImages } from './large-images.ts';
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
  /** Absent: none is scaled. */
  scaleImage?: ScaleImage | undefined;
  settings: SettingsStore;
  clock: Clock;
  log: Log;
}

/** Smaller bodies have no image that any model refuses for its size. */
const mayHaveLargeImage = 1_000_000;

/**
 * What some requests need and most do not: a row each. The looks stand here, so that a request which needs none of them
 * enters none of their files.
 */
export class Features {
  readonly #dependencies: FeaturesDependencies;
  readonly #lessons: Lessons;
  /** Searches that Codex makes for models. */
  readonly #webRuns: WebRuns;
  readonly #sideSearches: SideSearches;
  readonly #pausedTurns = new PausedTurns();
  readonly #largeImages: LargeImages | null;

  constructor(dependencies: FeaturesDependencies, underWay: () => Iterable<Ended>) {
    const { lessons, search, clock, scaleImage } = dependencies;
    this.#dependencies = dependencies;
    this.#lessons = new Lessons(lessons);
    this.#webRuns = new WebRuns(underWay, clock);
    this.#sideSearches = new SideSearches(search, underWay);
    this.#largeImages = scaleImage === undefined ? null : new LargeImages(scaleImage);
  }

  /** The parts that this request needs. One cheap look for each feature. */
  join(asked: Joining): Part[] {
    const { request, bytes, reading, row, used, model } = asked;
    const { settings, search, lessons: table, log } = this.#dependencies;
    const offered = offersSearch(request);
    const paused = this.#pausedTurns;
    const isSearched = offered && search.isOn();
    const parts = [
      offered || endsWithAnswer(request) ? paused.join(asked) : null,
      asksForModel(request, model, settings.current().modelOverrides) ? choosesModel(asked) : null,
      bytes < mayHaveLargeImage ? null : (this.#largeImages?.join() ?? null),
      reading.newContent.tools.includes('WebFetch') ? notesWebFetch(asked) : null,
      isSearched ? this.#sideSearches.join(asked) : null,
      isSearched ? searchesHere({ search, paused: (first, id) => paused.paused(first, id) }) : null,
      // What Copilot refused from us says nothing of VS Code's requests, nor the other way round.
      used.reach === 'directly' ? learning({ lessons: this.#lessons, table, log, id: row.id }) : null,
    ];
    const needed: Part[] = [];
    for (const part of parts) if (part !== null) needed.push(part);
    return needed;
  }

  /** Any request has ended, those of our own included. */
  ended(run: Ended): void {
    const called = new Set<string | null>();
    for (const { name } of run.facts.blocks) called.add(name);
    if (called.has(searchTool)) this.#sideSearches.ended(run);
    if (called.has(webRun)) this.#webRuns.ended(run);
  }

  /** Codex's own search. Throws `Stopped` where the body is none. */
  alphaSearch(body: unknown, joined: Joined): ReturnType<typeof alphaSearch> {
    return alphaSearch(body, joined, { search: this.#dependencies.search, webRuns: this.#webRuns });
  }
}

/** An answer comes back that may have been paused. */
function endsWithAnswer(request: unknown): boolean {
  const last: unknown = isObject(request) && Array.isArray(request.messages) ? request.messages.at(-1) : null;
  return isObject(last) && last.role === 'assistant';
}

/** @param named by a rule, which is the last word */
function asksForModel(request: unknown, named: string | null, overrides: Readonly<Record<string, string>>): boolean {
  if (named !== null) return asksForAuto(named, {});
  return isObject(request) && typeof request.model === 'string' && asksForAuto(request.model, overrides);
}

/** True if the request offers a search, in any of the APIs. */
function offersSearch(request: unknown): boolean {
  if (!isObject(request)) return false;
  if (request.web_search_options !== undefined && request.web_search_options !== null) return true;
  return Array.isArray(request.tools) && request.tools.some(isSearch);
}

function isSearch(tool: unknown): boolean {
  return isObject(tool) && typeof tool.type === 'string' && tool.type.startsWith('web_search');
}

function learning(given: { lessons: Lessons; table: LessonTable; log: Log; id: string }): Part {
  const { lessons, table, log, id } = given;
  let recovering: Recovering | null = null;
  return {
    learned: (model, path) =>
      table.rows.size === 0 || table.of(model.id, path).length === 0 ? null : lessons.about(model, path),
    refusal: (failure, plan, model) => {
      recovering ??= new Recovering({ lessons, log, exchange: id });
      return recovering.refusal(failure, plan, model);
    },
    taken: (model) => recovering?.taken(model),
  };
}

/** The request as one of its parts changes it after a refusal; null if none does. */
export function againBy<P extends Replannable<P>>(
  parts: readonly Part[],
  failure: CopilotFailure,
  plan: P,
  model: CatalogModel,
): Again<P> | null {
  for (const part of parts) {
    const again = part.refusal?.(failure, plan, model) ?? null;
    if (again !== null) return again;
  }
  return null;
}
