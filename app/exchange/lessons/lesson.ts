import { hash } from 'node:crypto';
import type { LearnedFact } from '../../api/models.ts';
import { type LessonRow, type LessonTable, lessonLifeMs } from '../../history/lesson-table.ts';
import { isOptionalField, type OptionalField } from '../fits/learned.ts';
import { isOptionalParameter, type OptionalParameter } from '../fits/optional-parameters.ts';
import type { FieldName } from '../fits/unknown-fields.ts';

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

export function lessonToRow(lesson: Lesson): Pick<LessonRow, 'subject' | 'value'> {
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
export function lessonFromRow({ subject, value }: LessonRow): Lesson | null {
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
      return `takes no ${lesson.field}`;
    case 'parameter':
      return `takes no ${lesson.name} (OpenAI’s APIs)`;
    case 'unknown-field':
      return `does not know the field ${lesson.name}`;
    case 'efforts':
      return lesson.listed.length === 0 ? 'takes no effort' : `takes the efforts ${lesson.listed.join(', ')}`;
    case 'output-tokens':
      return `writes at most ${lesson.most} tokens`;
    case 'system-messages':
      return 'takes no system message inside a conversation';
    case 'stop':
      return 'takes no stop sequences';
    case 'thinking':
      return (
        'takes back no thinking of ' +
        `${lesson.marks.length === 1 ? 'one earlier answer' : `${lesson.marks.length} earlier answers`}`
      );
    case 'tool':
      return `finds ${lesson.name} only when it is loaded at once`;
  }
}
