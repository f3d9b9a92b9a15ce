import type { ChatPath } from '../copilot/catalog.ts';
import type { CatalogModel } from '../copilot/model.ts';
import type { LessonRow, LessonTable } from '../history/lesson-table.ts';
import { lessonLifeMs } from '../history/lesson-table.ts';
import type { Clock } from '../ports.ts';
import { isOptionalField, type Learned, type OptionalField } from './fits/learned.ts';

/**
 * What one refusal said. `field`, `system-messages`, `efforts`, `output-tokens` and `stop` hold for a model on a path and are kept for a day;
 * `thinking` and `tool` are about things of a conversation, and kept in memory alone.
 */
export type Lesson =
  | { kind: 'field'; field: OptionalField }
  | { kind: 'system-messages' }
  /** What the model lists now, which may be nothing. */
  | { kind: 'efforts'; listed: readonly string[] }
  | { kind: 'output-tokens'; most: number }
  /** Chat Completions: stop sequences are not sent, but cut here. */
  | { kind: 'stop' }
  /** The thinking of this request is not taken back. */
  | { kind: 'thinking'; proofs: readonly string[] }
  /** A tool that a `tool_reference` names is not found as long as its loading is deferred. */
  | { kind: 'tool'; name: string };

/** Each of them a few dozen characters. */
const rememberedInMemory = 5_000;
/** Signatures are random to their end. */
const tailLength = 64;

/**
 * What Copilot's refusals have taught, so that a conversation meets each of them once. Nothing in here is certain for ever: all of it is forgotten
 * after a day, because Copilot changes.
 */
export class Lessons {
  readonly #table: LessonTable;
  readonly #clock: Clock;
  /** What is about conversations, by model: when it was learned. The oldest first. */
  readonly #passing = new Map<string, number>();

  constructor(parts: { table: LessonTable; clock: Clock }) {
    this.#table = parts.table;
    this.#clock = parts.clock;
  }

  /** What is known about a model on a path; `tried` is what this very exchange was told and has not been confirmed yet. */
  about(model: CatalogModel, path: ChatPath, tried: readonly Lesson[] = []): Learned | null {
    const kept = this.#table.of(model.id, path).flatMap(fromRow);
    if (kept.length === 0 && tried.length === 0 && this.#passing.size === 0) return null;
    const lessons = [...kept, ...tried];
    const tools = new Set(lessons.flatMap((lesson) => (lesson.kind === 'tool' ? [lesson.name] : [])));
    const proofs = new Set(lessons.flatMap((lesson) => (lesson.kind === 'thinking' ? lesson.proofs : [])));
    return {
      model: withLimits(model, lessons),
      refusedFields: new Set(lessons.flatMap((lesson) => (lesson.kind === 'field' ? [lesson.field] : []))),
      refusesSystemMessages: lessons.some(({ kind }) => kind === 'system-messages'),
      refusesStop: lessons.some(({ kind }) => kind === 'stop'),
      refusesThinking: (proof) => proofs.has(proof) || this.#remembers(thinkingKey(model, proof)),
      refusesDeferred: (tool) => tools.has(tool) || this.#remembers(toolKey(model, tool)),
    };
  }

  /** Copilot took the request with this change, so it holds. */
  learn(model: CatalogModel, path: ChatPath, lessons: readonly Lesson[]): void {
    for (const lesson of lessons) {
      if (lesson.kind === 'thinking') for (const proof of lesson.proofs) this.#remember(thinkingKey(model, proof));
      else if (lesson.kind === 'tool') this.#remember(toolKey(model, lesson.name));
      else this.#table.learn({ model: model.id, path, ...toRow(lesson) });
    }
  }

  #remember(key: string): void {
    this.#passing.delete(key);
    this.#passing.set(key, this.#clock.now());
    if (this.#passing.size <= rememberedInMemory) return;
    const oldest = this.#passing.keys().next();
    if (!oldest.done) this.#passing.delete(oldest.value);
  }

  #remembers(key: string): boolean {
    const at = this.#passing.get(key);
    if (at === undefined) return false;
    const age = this.#clock.now() - at;
    return age >= 0 && age < lessonLifeMs;
  }
}

function thinkingKey(model: CatalogModel, proof: string): string {
  return `thinking ${model.id} ${proof.slice(-tailLength)}`;
}

function toolKey(model: CatalogModel, tool: string): string {
  return `tool ${model.id} ${tool}`;
}

/** The catalog's word, and what a refusal said later. */
function withLimits(model: CatalogModel, lessons: readonly Lesson[]): CatalogModel {
  let { limits, supports } = model;
  for (const lesson of lessons) {
    if (lesson.kind === 'efforts') supports = { ...supports, efforts: lesson.listed };
    if (lesson.kind !== 'output-tokens') continue;
    limits = { ...limits, outputTokens: Math.min(lesson.most, limits.outputTokens ?? lesson.most) };
  }
  return limits === model.limits && supports === model.supports ? model : { ...model, limits, supports };
}

type Kept = Exclude<Lesson, { kind: 'thinking' | 'tool' }>;

function toRow(lesson: Kept): Pick<LessonRow, 'subject' | 'value'> {
  switch (lesson.kind) {
    case 'field':
      return { subject: `field:${lesson.field}`, value: '' };
    case 'efforts':
      return { subject: 'efforts', value: lesson.listed.join(' ') };
    case 'output-tokens':
      return { subject: 'output-tokens', value: String(lesson.most) };
    case 'system-messages':
    case 'stop':
      return { subject: lesson.kind, value: '' };
  }
}

/** Empty for a row that means nothing to this version. */
function fromRow({ subject, value }: LessonRow): Kept[] {
  const field = subject.startsWith('field:') ? subject.slice('field:'.length) : '';
  if (isOptionalField(field)) return [{ kind: 'field', field }];
  if (subject === 'efforts') return [{ kind: 'efforts', listed: value.split(' ').filter((effort) => effort !== '') }];
  if (subject === 'output-tokens' && Number(value) > 0) return [{ kind: 'output-tokens', most: Number(value) }];
  if (subject === 'system-messages' || subject === 'stop') return [{ kind: subject }];
  return [];
}

/** What a kept lesson means, for a person: `takes no context_management`. Null where this version does not know it. */
export function lessonWords(row: LessonRow): string | null {
  const [lesson] = fromRow(row);
  switch (lesson?.kind) {
    case undefined:
      return null;
    case 'field':
      return `takes no ${lesson.field}`;
    case 'efforts':
      return lesson.listed.length === 0 ? 'takes no effort' : `takes the efforts ${lesson.listed.join(', ')}`;
    case 'output-tokens':
      return `writes at most ${lesson.most} tokens`;
    case 'system-messages':
      return 'takes no system message inside a conversation';
    case 'stop':
      return 'takes no stop sequences';
  }
}
