import { z } from 'zod';

/**
 * A sentence of ours, which may name a command of ours. Known by identity: words of others, such as GitHub's or a
 * model's, are a plain string.
 */
export const sentenceSchema = z.string();

/** `terminal`: the remedy says what to type. A front that has a button for it shows that in place of the words. */
export const remedyForSchema = z.literal('terminal');

export const problemSchema = z.object({
  code: z.string(),
  /** What happened and why. */
  text: sentenceSchema,
  remedy: sentenceSchema,
  remedyFor: remedyForSchema.exactOptional(),
});
export type Problem = z.infer<typeof problemSchema>;

/** One call of the table: the list of its arguments, its result, whose window may make it, and who answers it. */
export interface Call {
  readonly from: 'both' | 'tray' | 'dashboard';
  /** `app`: the method of that name. `front`: the tray app itself, because it is about this machine's desktop. */
  readonly by: 'app' | 'front';
  readonly given: z.ZodType<unknown[]>;
  readonly result: z.ZodType;
  /** What it is given may hold images. */
  readonly isLarge?: true;
}

export type CallTable = Readonly<Record<string, Call>>;

/** How an answer crosses: a failure is a value with its remedy, never a stack. */
export type CallAnswer<Result> = { ok: true; value: Result } | { ok: false; problem: Problem };
export const answeredSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown().optional() }),
  z.object({ ok: z.literal(false), problem: problemSchema }),
]);

/** Calls of the tray app's window and the dashboard. */
export const both = <Given extends z.ZodType<unknown[]>, Result extends z.ZodType>(given: Given, result: Result) =>
  ({ from: 'both', by: 'app', given, result }) as const;

/** Calls of the tray app's window alone: the dashboard is served by the proxy that they would change. */
export const tray = <Given extends z.ZodType<unknown[]>, Result extends z.ZodType>(given: Given, result: Result) =>
  ({ from: 'tray', by: 'app', given, result }) as const;

/** Calls of the tray app's window alone, answered there. */
export const desktop = <Given extends z.ZodType<unknown[]>, Result extends z.ZodType>(given: Given, result: Result) =>
  ({ from: 'tray', by: 'front', given, result }) as const;

/** Calls of the dashboard alone. */
export const dashboard = <Given extends z.ZodType<unknown[]>, Result extends z.ZodType>(given: Given, result: Result) =>
  ({ from: 'dashboard', by: 'app', given, result }) as const;

/** What it is given may hold images. */
export const large = <Of extends Call>(call: Of) => ({ ...call, isLarge: true }) as const;

/** `bad-call`: the arguments are not those of the table. */
type Answered = CallAnswer<unknown> | { ok: false; problem: 'bad-call' };

export interface Answering {
  table: CallTable;
  /** Each call is answered by the method of its name of the first that has one. */
  answers: readonly object[];
  /** Takes secrets out of what goes to the page. */
  redact: (text: string) => string;
  /** Our sentences as this page should have them. Absent: as they are. */
  words?: Words;
}

/**
 * Answers a call of the table: what it is given is checked, and so is what goes back. Rejects with what was not written
 * for a person; that is a fault, and its text and stack do not cross.
 */
export async function answerCall(
  { table, answers, redact, words }: Answering,
  name: string,
  given: unknown,
): Promise<Answered> {
  const call = Object.hasOwn(table, name) ? table[name] : undefined;
  const answering = answers.find((some) => typeof Reflect.get(some, name) === 'function');
  if (call === undefined || answering === undefined) throw new TypeError(`Nothing answers the call ${name}.`);
  const read = call.given.safeParse(given);
  if (!read.success) return { ok: false, problem: 'bad-call' };
  try {
    const value: unknown = await Reflect.apply(Reflect.get(answering, name), answering, read.data);
    const result = call.result.parse(value);
    return { ok: true, value: words === undefined ? result : inWords(call.result, result, words) };
  } catch (error) {
    const problem = problemOf(error);
    if (problem === null) throw error;
    // Other words are found for a sentence as it was made.
    const { text, remedy } = words === undefined ? problem : inWords(problemSchema, problem, words);
    return { ok: false, problem: { ...problem, text: redact(text), remedy: redact(remedy) } };
  }
}

/**
 * Errors that were written for a person carry their remedy. `said`: their words for a place that says already what
 * failed.
 */
export function problemOf(error: unknown): Problem | null {
  if (!(error instanceof Error && 'remedy' in error && typeof error.remedy === 'string')) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  const text = 'said' in error && typeof error.said === 'string' ? error.said : error.message;
  return { code, text, remedy: error.remedy };
}

/** Puts a sentence into other words. */
export type Words = (sentence: string) => string;
type Reword = (value: unknown, words: Words) => unknown;

/**
 * A value with its sentences in other words: those that its schema says are ours (`sentenceSchema`). Everything else,
 * such as words of persons and models and the input of a tool, is the same value.
 */
export function inWords<Value>(schema: z.ZodType<Value>, value: Value, words: Words): Value {
  const reword = rewordOf(schema);
  return reword === null ? value : schema.parse(reword(value, words));
}

const known = new WeakMap<z.core.$ZodType, Reword | null>();

/** Null: no part of such a value is a sentence of ours. */
function rewordOf(schema: z.core.$ZodType): Reword | null {
  let reword = known.get(schema);
  if (reword === undefined) {
    reword = makeReword(schema);
    known.set(schema, reword);
  }
  return reword;
}

function makeReword(schema: z.core.$ZodType): Reword | null {
  if (schema === sentenceSchema) return (value, words) => (typeof value === 'string' ? words(value) : value);
  if (schema instanceof z.ZodObject) return rewordFields(schema.shape);
  if (schema instanceof z.ZodArray) {
    const part = rewordOf(schema.element);
    return part && ((value, words) => (Array.isArray(value) ? value.map((one) => part(one, words)) : value));
  }
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodExactOptional) {
    return rewordOf(schema.unwrap());
  }
  if (schema instanceof z.ZodUnion) {
    const options = schema.options.map((option) => ({ option, reword: rewordOf(option) }));
    if (options.every(({ reword }) => reword === null)) return null;
    return (value, words) => {
      const found = options.find(({ option }) => z.safeParse(option, value).success);
      return found?.reword ? found.reword(value, words) : value;
    };
  }
  return null;
}

function rewordFields(shape: Readonly<Record<string, z.core.$ZodType>>): Reword | null {
  const fields = Object.entries(shape).flatMap(([name, schema]) => {
    const reword = rewordOf(schema);
    return reword === null ? [] : [{ name, reword }];
  });
  if (fields.length === 0) return null;
  return (value, words) => {
    if (typeof value !== 'object' || value === null) return value;
    const changed: Record<string, unknown> = { ...value };
    for (const { name, reword } of fields)
      if (Object.hasOwn(changed, name)) changed[name] = reword(changed[name], words);
    return changed;
  };
}
