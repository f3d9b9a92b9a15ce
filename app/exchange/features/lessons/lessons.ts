import { hash } from 'node:crypto';
import type { LearnedFact } from '../../../api/models.ts';
import type { ChatPath } from '../../../copilot/catalog.ts';
import type { CatalogModel } from '../../../copilot/model-entry.ts';
import { type LessonRow, type LessonTable, lessonLifeMs } from '../../../history/lesson-table.ts';
import { t } from '../../../language/translate.ts';
import {
  isOptionalField,
  isOptionalParameter,
  type Learned,
  type OptionalField,
  type OptionalParameter,
} from '../../fits/fit.ts';
import { type FieldName, mayBeLeftOut } from '../../fits/unknown-fields.ts';

/**
 * What one refusal said about a model on a path. `thinking` and `tool` are about things of conversations, the others
 * about every request.
 */
export type Lesson =
  | { kind: 'field'; field: OptionalField }
  /** The same of a request in OpenAI's words. */
  | { kind: 'parameter'; name: OptionalParameter }
  /** A field of the body as the path takes it, which Copilot calls unknown: see `fits/unknown-fields.ts`. */
  | { kind: 'unknown-field'; name: FieldName }
  | { kind: 'system-messages' }
  /** What the model lists now, which may be nothing. */
  | { kind: 'efforts'; listed: readonly string[] }
  | { kind: 'output-tokens'; most: number }
  /** Chat Completions: stop sequences are not sent, but cut here. */
  | { kind: 'stop' }
  /** The thinking of this request is not taken back. */
  | { kind: 'thinking'; marks: readonly string[] }
  /** A tool that a `tool_reference` names is not found as long as its loading is deferred. */
  | { kind: 'tool'; name: string };

/** Stands for the proof of a thinking block: short, and says nothing about what was thought. */
export function markOf(proof: string): string {
  return hash('sha256', proof, 'base64url').slice(0, 22);
}

function lessonToRow(lesson: Lesson): Pick<LessonRow, 'subject' | 'value'> {
  switch (lesson.kind) {
    case 'field':
      return { subject: `field:${lesson.field}`, value: '' };
    case 'parameter':
      return { subject: `parameter:${lesson.name}`, value: '' };
    case 'unknown-field':
      return { subject: `unknown-field:${lesson.name}`, value: '' };
    case 'efforts':
      return { subject: 'efforts', value: lesson.listed.join(' ') };
    case 'output-tokens':
      return { subject: 'output-tokens', value: String(lesson.most) };
    case 'thinking':
      return { subject: `thinking:${lesson.marks[0] ?? ''}`, value: lesson.marks.join(' ') };
    case 'tool':
      return { subject: `tool:${lesson.name}`, value: '' };
    case 'system-messages':
    case 'stop':
      return { subject: lesson.kind, value: '' };
  }
}

/** Null for a row that this version cannot read. */
function lessonFromRow({ subject, value }: LessonRow): Lesson | null {
  const colon = subject.indexOf(':');
  const about = colon < 0 ? '' : subject.slice(colon + 1);
  const words = value.split(' ').filter((word) => word !== '');
  switch (colon < 0 ? subject : subject.slice(0, colon)) {
    case 'field':
      return isOptionalField(about) ? { kind: 'field', field: about } : null;
    case 'parameter':
      return isOptionalParameter(about) ? { kind: 'parameter', name: about } : null;
    case 'unknown-field':
      return about === '' ? null : { kind: 'unknown-field', name: about };
    case 'efforts':
      return { kind: 'efforts', listed: words };
    case 'output-tokens':
      return Number(value) > 0 ? { kind: 'output-tokens', most: Number(value) } : null;
    case 'thinking':
      return { kind: 'thinking', marks: words };
    case 'tool':
      return about === '' ? null : { kind: 'tool', name: about };
    case 'system-messages':
      return { kind: 'system-messages' };
    case 'stop':
      return { kind: 'stop' };
    default:
      return null;
  }
}

/** What holds now, in words for a person, the oldest first. Forgotten with `LessonTable.forget`. */
export function learnedFacts(table: LessonTable): LearnedFact[] {
  return table.all().flatMap((row) => {
    const lesson = lessonFromRow(row);
    if (lesson === null) return [];
    const { id, model, path, learnedAt } = row;
    return [{ id, model, path, text: wordsOf(lesson), learnedAt, until: learnedAt + lessonLifeMs }];
  });
}

function wordsOf(lesson: Lesson): string {
  switch (lesson.kind) {
    case 'field':
      return t('takes no {field}', { field: lesson.field });
    case 'parameter':
      return t('takes no {field} (OpenAI’s APIs)', { field: lesson.name });
    case 'unknown-field':
      return t('does not know the field {field}', { field: lesson.name });
    case 'efforts':
      return lesson.listed.length === 0
        ? t('takes no effort')
        : t('takes the efforts {names}', { names: lesson.listed.join(', ') });
    case 'output-tokens':
      return t('writes at most {most} tokens', { most: String(lesson.most) });
    case 'system-messages':
      return t('takes no system message inside a conversation');
    case 'stop':
      return t('takes no stop sequences');
    case 'thinking':
      return t('takes back no thinking of {count, plural, one {one earlier answer} other {# earlier answers}}', {
        count: lesson.marks.length,
      });
    case 'tool':
      return t('finds {tool} only when it is loaded at once', { tool: lesson.name });
  }
}

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
