import type { ZodType } from 'zod';
import { redact } from '../app/adapters/redact.ts';
import type { Problem } from '../app/api/problem.ts';
import { CatalogError } from '../app/copilot/catalog.ts';
import type { Log } from '../app/ports.ts';
import { type CallEvent, mayAsk } from './ipc-sender.ts';

export interface Call {
  name: string;
  expected: ZodType<unknown[]>;
  result: ZodType;
  perform: (given: unknown[]) => unknown;
}

type Answer = { ok: true; value: unknown } | { ok: false; problem: Problem };

/**
 * One call from a page: who asks is looked at first, then what it holds, then what goes back. Never rejects, so that no stack and no
 * text that was not meant for a person crosses.
 */
export async function answerCall(call: Call, event: CallEvent, given: unknown, log: Log): Promise<Answer> {
  const { name } = call;
  if (!mayAsk(event)) {
    log.write('error', 'ipc.stranger', { call: name, from: event.senderFrame?.url ?? null });
    return refused({
      code: 'not-our-window',
      text: 'Only Jumpseat’s own window may ask that.',
      mend: 'Open Jumpseat.',
    });
  }
  try {
    const read = call.expected.safeParse(given);
    if (!read.success) {
      log.write('warn', 'ipc.bad-call', { call: name });
      return refused({
        code: 'bad-call',
        text: `The window asked for “${name}” wrongly.`,
        mend: 'Start Jumpseat again.',
      });
    }
    const value = await call.perform(read.data);
    return { ok: true, value: call.result.parse(value) };
  } catch (error) {
    const problem = readProblem(error);
    if (problem) return refused(problem);
    log.write('error', 'ipc.call-failed', { call: name, error });
    return refused({
      code: 'fault',
      text: 'That failed because of a fault in Jumpseat.',
      mend: 'Try again. What happened is in the log.',
    });
  }
}

function refused(problem: Problem): Answer {
  return { ok: false, problem };
}

/** Errors that were written for a person carry their mend. */
function readProblem(error: unknown): Problem | null {
  if (error instanceof CatalogError) return { code: 'catalog', text: redact(error.said), mend: 'Try again.' };
  if (!(error instanceof Error && 'mend' in error && typeof error.mend === 'string')) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return { code, text: redact(error.message), mend: redact(error.mend) };
}
