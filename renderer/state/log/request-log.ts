import type { Exchange, ExchangeRow } from '../../../app/api/exchange.ts';
import { shownZone } from '../../../app/words/times.ts';
import type { Filter, FilterContext } from './filter/match.ts';
import { readFilter } from './filter/read-filter.ts';
import { type LogView, type QuickFilter, quickTests, Tally } from './log-view.ts';
import { folderOf, isRunning, keptRow, type Row, rowOf } from './row.ts';
import { byStart, type Order, SortedRows } from './sorted-rows.ts';

const mostMarks = 50;

/**
 * All requests that the page knows, and the part of them that is shown, kept up to date row by row: a new request costs
 * the same whether the list holds ten or a hundred thousand.
 */
export class RequestLog {
  #all = new SortedRows(byStart);
  readonly #known = new Map<string, Row>();
  readonly #recent = new RecentExchanges();
  readonly #pinned = new Set<string>();
  #recorded: ReadonlySet<string> = new Set();
  /** Matches by the words of the query. */
  #said: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  #folders: Readonly<Record<string, string>> = {};
  readonly #listeners = new Set<() => void>();
  #nextSeq = 0;
  #previousSeq = -1;
  #shown = new SortedRows(byStart);
  #order: Order = byStart;
  #query = '';
  /** Zone in which the query's times were read. */
  #zone = shownZone();
  #quick: QuickFilter = 'all';
  #filter: Filter;
  #clearedUntil = Number.NEGATIVE_INFINITY;
  #marks: readonly number[] = [];
  #held: Map<string, Exchange> | null = null;
  #waiting = 0;
  #tally = new Tally();
  #arrangement = 0;
  #view: LogView;

  constructor() {
    this.#filter = readFilter('', this.context());
    this.#view = this.#look(0);
  }

  readonly view = (): LogView => this.#view;

  readonly listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  row(id: string): Row | null {
    return this.#known.get(id) ?? null;
  }

  /** The whole exchange, where it is one of the last. */
  exchange(id: string): Exchange | null {
    return this.#recent.of(id);
  }

  /** Ids of those whose end is not known. */
  running(): string[] {
    // The newest only: whatever is older has long ended.
    const ids: string[] = [];
    const { rows } = this.#all;
    for (let index = rows.length - 1; index >= Math.max(0, rows.length - 20_000); index -= 1) {
      const row = rows[index];
      if (row !== undefined && isRunning(row)) ids.push(row.id);
    }
    return ids;
  }

  isPinned(id: string): boolean {
    return this.#pinned.has(id);
  }

  /** Where a row stands in the list; -1 when it is not shown. */
  indexOf(id: string): number {
    const row = this.#known.get(id);
    if (row === undefined) return -1;
    const place = this.#shown.placeOf(row);
    return this.#shown.rows[place]?.id === id ? place : -1;
  }

  /** What was heard: the newest of each exchange counts. */
  hear(exchanges: Iterable<Exchange>): void {
    for (const exchange of exchanges) {
      this.#recent.add(exchange);
      if (this.#held === null) this.#put(exchange);
      else this.#hold(this.#held, exchange);
    }
    this.#publish();
  }

  /** The newest exchanges, oldest first. What was heard of one is newer than what is said here, but for its end. */
  addNewest(newest: readonly Exchange[]): void {
    for (const exchange of newest) {
      const known = this.#known.get(exchange.id);
      if (known !== undefined && !(isRunning(known) && exchange.outcome !== 'running')) continue;
      this.#recent.add(exchange);
      this.#put(exchange);
    }
    this.#publish();
  }

  /** A page of the history, oldest first. Returns how many of them are new. */
  addOlder(page: readonly ExchangeRow[]): number {
    const unknown = page.filter(({ id }) => !this.#known.has(id));
    const rows = unknown
      .toReversed()
      .map((row) => keptRow(row, this.#previousSeq--))
      .reverse();
    const shown: Row[] = [];
    for (const row of rows) {
      this.#known.set(row.id, row);
      if (this.#count(row, 1)) shown.push(row);
    }
    this.#all.insertAll(rows);
    this.#shown.insertAll(shown);
    this.#publish();
    return rows.length;
  }

  /** Whether a page meets what is there: it holds an exchange whose end is known. */
  joins(page: readonly { id: string }[]): boolean {
    return page.some(({ id }) => {
      const row = this.#known.get(id);
      return row !== undefined && !isRunning(row);
    });
  }

  search(query: string): void {
    if (query === this.#query && this.#zone === shownZone()) return;
    this.#query = query;
    this.#zone = shownZone();
    this.#filter = readFilter(query, this.context());
    this.#arrange();
  }

  choose(quick: QuickFilter): void {
    if (quick === this.#quick) return;
    this.#quick = quick;
    this.#arrange();
  }

  sort(order: Order): void {
    if (order === this.#order) return;
    this.#order = order;
    this.#arrange();
  }

  pause(): void {
    this.#held ??= new Map();
    this.#publish();
  }

  resume(): void {
    const held = this.#held;
    if (held === null) return;
    this.#held = null;
    this.#waiting = 0;
    for (const exchange of held.values()) this.#put(exchange);
    this.#publish();
  }

  /** Empties the list; what comes from now on is shown. Pinned rows stay. */
  clear(): void {
    this.#clearedUntil = this.#all.rows.at(-1)?.startedAt ?? Number.NEGATIVE_INFINITY;
    this.#marks = [];
    this.#arrange();
  }

  /** The history was deleted: what has ended is gone, here too. */
  forget(): void {
    const running = this.#all.rows.filter(isRunning);
    this.#all = new SortedRows(byStart, running);
    this.#known.clear();
    for (const row of running) this.#known.set(row.id, row);
    this.#recent.forgetEnded();
    for (const { id, outcome } of [...(this.#held?.values() ?? [])]) if (outcome !== 'running') this.#held?.delete(id);
    this.#waiting = [...(this.#held?.keys() ?? [])].filter((id) => !this.#known.has(id)).length;
    for (const id of [...this.#pinned]) if (!this.#known.has(id)) this.#pinned.delete(id);
    this.#clearedUntil = Number.NEGATIVE_INFINITY;
    this.#marks = [];
    this.#arrange();
  }

  showCleared(): void {
    this.#clearedUntil = Number.NEGATIVE_INFINITY;
    this.#arrange();
  }

  /**
   * Draws a line between what has started by now and what is to come. One where nothing came since the last moves that
   * one.
   */
  mark(at: number): void {
    const newest = this.#all.rows.at(-1)?.startedAt ?? Number.NEGATIVE_INFINITY;
    this.#marks = [...this.#marks.filter((mark) => mark < newest), at].slice(-mostMarks);
    this.#publish();
  }

  removeMarks(): void {
    this.#marks = [];
    this.#publish();
  }

  /** The requests whose bodies are held now. */
  knowRecorded(ids: readonly string[]): void {
    this.#recorded = new Set(ids);
    if (/\bhas:\S*body/i.test(this.#query)) this.#arrange();
  }

  /** The requests in which the words of the query were said, by these words. */
  knowSaid(said: ReadonlyMap<string, ReadonlySet<string>>): void {
    if (said.size === 0 && this.#said.size === 0) return;
    this.#said = said;
    this.#arrange();
  }

  /** Where sessions work, by the ids of each. */
  knowFolders(folders: Readonly<Record<string, string>>): void {
    const before = this.#folders;
    const ids = Object.keys(folders);
    if (ids.length === Object.keys(before).length && ids.every((id) => folders[id] === before[id])) return;
    this.#folders = folders;
    this.#arrange();
  }

  togglePin(id: string): boolean {
    const pinned = !this.#pinned.delete(id);
    if (pinned) this.#pinned.add(id);
    this.#arrange();
    return pinned;
  }

  /** What a filter asks beside the rows. */
  context(): FilterContext {
    return {
      now: Date.now(),
      isPinned: (id: string) => this.#pinned.has(id),
      hasBody: (id: string) => this.#recorded.has(id),
      saidIn: (id: string, words: string) => this.#said.get(words)?.has(id) === true,
      folderOf: (row: Row) => folderOf(row, this.#folders),
    };
  }

  #hold(held: Map<string, Exchange>, exchange: Exchange): void {
    if (!held.has(exchange.id) && !this.#known.has(exchange.id)) this.#waiting += 1;
    held.set(exchange.id, exchange);
  }

  #put(exchange: Exchange): void {
    const old = this.#known.get(exchange.id);
    const row = rowOf(exchange, old?.seq ?? this.#nextSeq++);
    this.#known.set(row.id, row);
    if (old === undefined) {
      this.#all.insert(row);
      if (this.#count(row, 1)) this.#shown.insert(row);
      return;
    }
    this.#all.replace(old, row);
    this.#count(old, -1);
    this.#count(row, 1);
    const was = this.#isShown(old);
    const is = this.#isShown(row);
    if (was && is) this.#shown.replace(old, row);
    else if (was) this.#shown.remove(old);
    else if (is) this.#shown.insert(row);
  }

  #isVisible(row: Row): boolean {
    return row.startedAt > this.#clearedUntil || this.#pinned.has(row.id);
  }

  #isShown(row: Row): boolean {
    return this.#isVisible(row) && this.#filter.matches(row) && quickTests[this.#quick](row);
  }

  /** Returns whether it is shown. */
  #count(row: Row, by: 1 | -1): boolean {
    if (!this.#isVisible(row)) {
      this.#tally.cleared += by;
      return false;
    }
    if (!this.#filter.matches(row)) return false;
    this.#tally.count(row, by);
    if (!quickTests[this.#quick](row)) return false;
    this.#tally.sum(row, by);
    return true;
  }

  /** Chooses and orders all rows anew. */
  #arrange(): void {
    this.#tally = new Tally();
    const shown: Row[] = [];
    for (const row of this.#all.rows) if (this.#count(row, 1)) shown.push(row);
    if (this.#order !== byStart) shown.sort(this.#order);
    this.#shown = new SortedRows(this.#order, shown);
    this.#arrangement += 1;
    this.#publish();
  }

  #publish(): void {
    this.#view = this.#look(this.#view.version + 1);
    for (const listener of this.#listeners) listener();
  }

  #look(version: number): LogView {
    return {
      version,
      arrangement: this.#arrangement,
      rows: this.#shown.rows,
      running: this.#tally.running,
      counts: { ...this.#tally.counts },
      sums: { ...this.#tally.sums },
      known: this.#all.rows.length,
      cleared: this.#tally.cleared,
      marks: this.#marks,
      paused: this.#held !== null,
      waiting: this.#waiting,
      filter: this.#filter,
      query: this.#query,
      quick: this.#quick,
    };
  }
}

const recentLimit = 500;

/** Whole exchanges of the last time, for the detail. The oldest give way. */
class RecentExchanges {
  readonly #recent = new Map<string, Exchange>();

  of(id: string): Exchange | null {
    return this.#recent.get(id) ?? null;
  }

  add(exchange: Exchange): void {
    this.#recent.delete(exchange.id);
    this.#recent.set(exchange.id, exchange);
    if (this.#recent.size <= recentLimit) return;
    const oldest = this.#recent.keys().next().value;
    if (oldest !== undefined) this.#recent.delete(oldest);
  }

  forgetEnded(): void {
    for (const { id, outcome } of [...this.#recent.values()]) if (outcome !== 'running') this.#recent.delete(id);
  }
}
