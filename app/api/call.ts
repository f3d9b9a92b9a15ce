import { z } from 'zod';

/** `terminal`: the remedy says what to type. A front that has a button for it shows that in place of the words. */
export const remedyForSchema = z.literal('terminal');

export const problemSchema = z.object({
  code: z.string(),
  /** What happened and why. */
  text: z.string(),
  remedy: z.string(),
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
}

/**
 * Answers a call of the table: what it is given is checked, and so is what goes back. Rejects with what was not written
 * for a person; that is a fault, and its text and stack do not cross.
 */
export async function answerCall(
  { table, answers, redact }: Answering,
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
    return { ok: true, value: call.result.parse(value) };
  } catch (error) {
    const problem = problemOf(error);
    if (problem === null) throw error;
    return { ok: false, problem: { ...problem, text: redact(problem.text), remedy: redact(problem.remedy) } };
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
