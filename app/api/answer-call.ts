import type { CallAnswer, CallTable } from './call.ts';
import type { Problem } from './problem.ts';

/** `bad-call`: the arguments are not those of the table. */
export type Answered = CallAnswer<unknown> | { ok: false; problem: 'bad-call' };

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
    return { ok: false, problem: { ...problem, text: redact(problem.text), mend: redact(problem.mend) } };
  }
}

/**
 * Errors that were written for a person carry their mend. `said`: their words for a place that says already what
 * failed.
 */
export function problemOf(error: unknown): Problem | null {
  if (!(error instanceof Error && 'mend' in error && typeof error.mend === 'string')) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  const text = 'said' in error && typeof error.said === 'string' ? error.said : error.message;
  return { code, text, mend: error.mend };
}
