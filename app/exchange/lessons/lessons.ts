import type { ChatPath } from '../../copilot/catalog.ts';
import type { CatalogModel } from '../../copilot/model.ts';
import type { LessonRow, LessonTable } from '../../history/lesson-table.ts';
import type { Learned } from '../fits/learned.ts';
import { mayBeLeftOut } from '../fits/unknown-fields.ts';
import { type Lesson, lessonFromRow, lessonToRow, markOf } from './lesson.ts';

/**
 * What Copilot's refusals have taught, so that a conversation meets each of them once. Nothing in here is certain for
 * ever: all of it is forgotten after a day, because Copilot changes.
 */
export class Lessons {
  readonly #table: LessonTable;
  /** What the rows mean. A row never changes; one that is learned again is another. */
  readonly #read = new WeakMap<LessonRow, Lesson | null>();

  constructor(table: LessonTable) {
    this.#table = table;
  }

  /**
   * What is known about a model on a path; `tried` is what this very exchange was told and has not been confirmed yet.
   */
  about(model: CatalogModel, path: ChatPath, tried: readonly Lesson[] = []): Learned | null {
    const lessons = [...this.#table.of(model.id, path).flatMap((row) => this.#lesson(row) ?? []), ...tried];
    if (lessons.length === 0) return null;
    const tools = new Set(lessons.flatMap((lesson) => (lesson.kind === 'tool' ? [lesson.name] : [])));
    const marks = new Set(lessons.flatMap((lesson) => (lesson.kind === 'thinking' ? lesson.marks : [])));
    return {
      model: withLimits(model, lessons),
      refusedFields: new Set(lessons.flatMap((lesson) => (lesson.kind === 'field' ? [lesson.field] : []))),
      refusedParameters: new Set(lessons.flatMap((lesson) => (lesson.kind === 'parameter' ? [lesson.name] : []))),
      unknownFields: new Set(
        lessons.flatMap((lesson) =>
          lesson.kind === 'unknown-field' && mayBeLeftOut(path, lesson.name) ? [lesson.name] : [],
        ),
      ),
      refusesSystemMessages: lessons.some(({ kind }) => kind === 'system-messages'),
      refusesStop: lessons.some(({ kind }) => kind === 'stop'),
      refusesThinking: (proof) => marks.size > 0 && marks.has(markOf(proof)),
      refusesDeferred: (tool) => tools.has(tool),
    };
  }

  /** Copilot took the request with this change, so it holds. */
  learn(model: CatalogModel, path: ChatPath, lessons: readonly Lesson[]): void {
    for (const lesson of lessons) this.#table.learn({ model: model.id, path, ...lessonToRow(lesson) });
  }

  #lesson(row: LessonRow): Lesson | null {
    const known = this.#read.get(row);
    if (known !== undefined) return known;
    const lesson = lessonFromRow(row);
    this.#read.set(row, lesson);
    return lesson;
  }
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
