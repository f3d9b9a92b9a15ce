import type { SessionQuestion } from '../../../app/api/sessions.ts';
import { t } from '../../../app/language/translate.ts';
import { entriesOf, list, number, record, text } from '../state/fields.ts';

export interface FormChoice {
  value: string;
  label: string;
  description: string | null;
  /** Preview in monospace, if there is one. */
  preview: string | null;
}

interface Bounds {
  least: number | null;
  most: number | null;
}

/** A field of a form, by its type. `several`: more than one of its choices. */
export type FormField = {
  name: string;
  label: string;
  description: string | null;
  isRequired: boolean;
} & (
  | { kind: 'text'; format: string | null; length: Bounds; pattern: string | null; preset: string }
  | { kind: 'number'; isWhole: boolean; bounds: Bounds; preset: string }
  | { kind: 'switch'; preset: boolean }
  | { kind: 'one'; choices: readonly FormChoice[]; preset: string | null }
  | { kind: 'several'; choices: readonly FormChoice[]; count: Bounds; preset: readonly string[] }
);

/** One question of Claude's: its choices, and the field for other words. */
export interface ClaudeQuestion {
  heading: string;
  question: string;
  choices: readonly FormChoice[];
  isSeveral: boolean;
  name: string;
  /** Name of the field for other words; null if there is none. */
  otherName: string | null;
}

export type AskedForm =
  | { kind: 'questions'; questions: readonly ClaudeQuestion[] }
  /** `server`: who asks; null if unknown. */
  | { kind: 'form'; server: string | null; message: string; fields: readonly FormField[] }
  | { kind: 'address'; server: string | null; message: string; address: string };

type FormContent = Record<string, string | number | boolean | string[]>;
/** Values of a form: text in fields, `true` in switches, values in choices. */
export type FormValues = Readonly<Record<string, string | boolean | readonly string[]>>;

export function readForm({ request }: SessionQuestion): AskedForm {
  const { mode, message, url, requestedSchema, toolCallId, _meta } = record(request) ?? {};
  const said = text(message) ?? '';
  const server = text(record(record(_meta)?.jumpseat)?.server);
  if (mode === 'url') return { kind: 'address', server, message: said, address: text(url) ?? '' };
  const schema = record(requestedSchema) ?? {};
  const required = list(schema.required);
  const fields = entriesOf(schema.properties).map(([name, shape]) => readField(name, shape, required.includes(name)));
  const questions = toolCallId === undefined ? null : claudeQuestions(fields, said);
  return questions === null ? { kind: 'form', server, message: said, fields } : { kind: 'questions', questions };
}

/** Claude Code numbers its questions and puts the other words of each beside it. Null if it is another form. */
function claudeQuestions(fields: readonly FormField[], message: string): ClaudeQuestion[] | null {
  const questions: ClaudeQuestion[] = [];
  for (const field of fields) {
    if (/^question_\d+_custom$/.test(field.name)) continue;
    if (!/^question_\d+$/.test(field.name) || (field.kind !== 'one' && field.kind !== 'several')) return null;
    const otherName = fields.find(({ name }) => name === `${field.name}_custom`)?.name ?? null;
    const heading = field.label === field.name ? t('Question {number}', { number: questions.length + 1 }) : field.label;
    // The only question stands in the message.
    questions.push({
      ...{ heading, question: field.description ?? message, choices: field.choices },
      ...{ isSeveral: field.kind === 'several', name: field.name, otherName },
    });
  }
  return questions.length === 0 ? null : questions;
}

function readField(name: string, given: unknown, isRequired: boolean): FormField {
  const shape = record(given) ?? {};
  const about = { name, label: text(shape.title) ?? name, description: text(shape.description), isRequired };
  const preset = shape.default;
  if (shape.type === 'boolean') return { ...about, kind: 'switch', preset: preset === true };
  if (shape.type === 'number' || shape.type === 'integer') {
    const bounds = { least: number(shape.minimum), most: number(shape.maximum) };
    const isWhole = shape.type === 'integer';
    return { ...about, kind: 'number', isWhole, bounds, preset: number(preset) === null ? '' : String(preset) };
  }
  if (shape.type === 'array') {
    const count = { least: number(shape.minItems), most: number(shape.maxItems) };
    const chosen = list(preset).filter((one) => typeof one === 'string');
    return { ...about, kind: 'several', choices: choicesOf(record(shape.items) ?? {}), count, preset: chosen };
  }
  const choices = choicesOf(shape);
  if (choices.length > 0) return { ...about, kind: 'one', choices, preset: text(preset) };
  const length = { least: number(shape.minLength), most: number(shape.maxLength) };
  const { format, pattern } = shape;
  return { ...about, kind: 'text', format: text(format), pattern: text(pattern), length, preset: text(preset) ?? '' };
}

function choicesOf(shape: Readonly<Record<string, unknown>>): FormChoice[] {
  const named = [...list(shape.oneOf), ...list(shape.anyOf)].flatMap((one) => {
    const { const: value, title, description, _meta } = record(one) ?? {};
    if (typeof value !== 'string') return [];
    const preview = text(record(record(_meta)?.['_claude/askUserQuestionOption'])?.preview);
    return [{ value, label: text(title) ?? value, description: text(description), preview }];
  });
  if (named.length > 0) return named;
  const names = list(shape.enumNames);
  return list(shape.enum).flatMap((value, at) =>
    typeof value === 'string' ? [{ value, label: text(names[at]) ?? value, description: null, preview: null }] : [],
  );
}

export function presetsOf(fields: readonly FormField[]): FormValues {
  return Object.fromEntries(fields.map(({ name, preset }) => [name, preset ?? '']));
}

/** Problem of a field's value in words; null if there is none. */
export function fieldProblem(field: FormField, value: FormValues[string] | undefined): string | null {
  const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  if (isEmpty) return field.isRequired && field.kind !== 'switch' ? t('Required.') : null;
  switch (field.kind) {
    case 'number':
      return numberProblem(field, String(value));
    case 'text':
      return textProblem(field, String(value));
    case 'several': {
      const { least, most } = field.count;
      const chosen = Array.isArray(value) ? value.length : 0;
      if ((least === null || chosen >= least) && (most === null || chosen <= most)) return null;
      if (least === null) return t('Choose up to {most}.', { most: most ?? 0 });
      return most === null
        ? t('Choose from {least} on.', { least })
        : t('Choose from {least} to {most}.', { least, most });
    }
    default:
      return null;
  }
}

function numberProblem({ isWhole, bounds }: Extract<FormField, { kind: 'number' }>, value: string): string | null {
  const read = Number(value);
  const { least, most } = bounds;
  const fits = value.trim() !== '' && Number.isFinite(read) && (!isWhole || Number.isInteger(read));
  if (fits && (least === null || read >= least) && (most === null || read <= most)) return null;
  const kind = isWhole ? 'whole' : 'any';
  if (least !== null && most !== null)
    return t('Write a {kind, select, whole {whole number} other {number}} from {least} to {most}.', {
      kind,
      least,
      most,
    });
  if (least !== null)
    return t('Write a {kind, select, whole {whole number} other {number}} from {least} on.', { kind, least });
  if (most !== null)
    return t('Write a {kind, select, whole {whole number} other {number}} up to {most}.', { kind, most });
  return t('Write a {kind, select, whole {whole number} other {number}}.', { kind });
}

function textProblem({ length, format, pattern }: Extract<FormField, { kind: 'text' }>, value: string): string | null {
  const { least, most } = length;
  if ((least !== null && value.length < least) || (most !== null && value.length > most)) {
    if (least === null) return t('Write at most {most} characters.', { most: most ?? 0 });
    return most === null
      ? t('Write at least {least} characters.', { least })
      : t('Write {least} to {most} characters.', { least, most });
  }
  if (format === 'email' && !/^[^\s@]+@[^\s@]+$/.test(value)) return t('Write an email address.');
  if (format === 'uri' && !URL.canParse(value)) return t('Write an address with its scheme, such as https://.');
  if (format === 'date' && !/^\d{4}-\d\d-\d\d$/.test(value)) return t('Write a date as 2026-11-22.');
  if (format === 'date-time' && Number.isNaN(Date.parse(value)))
    return t('Write a date and a time as 2026-11-22T10:41:00Z.');
  return pattern !== null && !fitsPattern(pattern, value) ? t('Write it as {pattern}', { pattern }) : null;
}

/** A pattern that can't be read refuses nothing here; who asked looks at the answer too. */
function fitsPattern(pattern: string, value: string): boolean {
  // A pattern of another program's could hang the window on a long text.
  if (pattern.length > 200 || value.length > 200) return true;
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true;
  }
}

/** What goes to who asked. Fields that were left empty are left out. */
export function contentOf(fields: readonly FormField[], values: FormValues): FormContent {
  const content: FormContent = {};
  for (const { name, kind } of fields) {
    const value = values[name];
    if (kind === 'switch') content[name] = value === true;
    else if (value === undefined || value === '' || typeof value === 'boolean') continue;
    else if (typeof value !== 'string') {
      if (value.length > 0) content[name] = [...value];
    } else content[name] = kind === 'number' ? Number(value) : value;
  }
  return content;
}

/** What was chosen for one of Claude's questions. `other`: the person's own words; null if that isn't ticked. */
export interface Chosen {
  values: readonly string[];
  other: string | null;
}

export function isAnswered({ values, other }: Chosen): boolean {
  return other === null ? values.length > 0 : other.trim() !== '';
}

export function answersOf(questions: readonly ClaudeQuestion[], chosen: readonly Chosen[]): FormContent {
  const content: FormContent = {};
  for (const [at, { name, otherName, isSeveral }] of questions.entries()) {
    const { values, other } = chosen[at] ?? { values: [], other: null };
    if (isSeveral) content[name] = [...values];
    else if (values[0] !== undefined && other === null) content[name] = values[0];
    if (otherName !== null && other !== null) content[otherName] = other.trim();
  }
  return content;
}
