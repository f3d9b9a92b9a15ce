import type { Attempt, FitNote } from '../../../api/exchange.ts';
import type { Sent } from '../../../copilot/client.ts';
import type { CopilotFailure } from '../../../copilot/failures.ts';
import type { ReplayBudget } from '../../../copilot/outgoing.ts';
import type { Plan } from '../../plan.ts';
import type { Lesson } from './lessons.ts';
import { readUnknownField } from './read-lesson.ts';

/** Two refusals of one request may be met; a third one is told. */
const mostRecoveries = 2;
/** A new release of a client may bring several fields that are unknown, and Copilot names one at a time. */
const mostUnknownFields = 4;

interface Recovering<P extends Plan> {
  row: { attempts: Attempt[] };
  budget: ReplayBudget;
  send: (plan: P) => Promise<Sent>;
  /** What a refusal teaches, or null. */
  read: (failure: CopilotFailure) => Lesson | null;
  /** The same request, fitted with these lessons as well; null where that is refused. */
  refit: (lessons: readonly Lesson[]) => P | null;
  /** Copilot took it with them. */
  confirmed: (lessons: readonly Lesson[]) => void;
}

interface Delivered<P extends Plan> {
  /** The one that was sent last. */
  plan: P;
  sent: Sent;
  /** One for each recovery. */
  notes: FitNote[];
}

/**
 * Sends a plan. Where Copilot refuses something that could not be foreseen and that the request can do without, the
 * request is fitted again with what the refusal said and sent once more, before a byte of an answer has gone out and
 * while repeats are left. A change that changes nothing is not sent.
 */
export async function sendRecovering<P extends Plan>(
  first: P,
  { row, budget, send, read, refit, confirmed }: Recovering<P>,
): Promise<Delivered<P>> {
  const tried: Lesson[] = [];
  const notes: FitNote[] = [];
  let plan = first;
  for (;;) {
    const sent = await send(plan);
    const done: Delivered<P> = { plan, sent, notes };
    if (sent.ok) {
      if (tried.length > 0) confirmed(tried);
      return done;
    }
    const lesson = withinBounds(read(sent.failure) ?? readUnknownField(sent.failure, plan), tried);
    const next = lesson === null ? null : refit([...tried, lesson]);
    if (lesson === null || next === null || saysTheSame(next, plan) || !budget.take()) return done;
    tried.push(lesson);
    notes.push(recovered(lesson));
    const last = row.attempts.at(-1);
    if (last !== undefined) last.retriedBecause = `refused-${lesson.kind}`;
    plan = next;
  }
}

function withinBounds(lesson: Lesson | null, tried: readonly Lesson[]): Lesson | null {
  if (lesson === null) return null;
  const unknown = tried.filter(({ kind }) => kind === 'unknown-field').length;
  const left =
    lesson.kind === 'unknown-field' ? mostUnknownFields - unknown : mostRecoveries - (tried.length - unknown);
  return left > 0 ? lesson : null;
}

function saysTheSame(one: Plan, other: Plan): boolean {
  return one.anthropicBeta === other.anthropicBeta && one.body.equals(other.body);
}

function recovered(lesson: Lesson): FitNote {
  return { code: 'recovered', count: 1, text: `${refused(lesson)} refused; sent again without` };
}

function refused(lesson: Lesson): string {
  switch (lesson.kind) {
    case 'field':
      return lesson.field;
    case 'parameter':
    case 'unknown-field':
      return lesson.name;
    case 'system-messages':
      return 'system message';
    case 'efforts':
      return 'effort';
    case 'output-tokens':
      return 'max_tokens';
    case 'stop':
      return 'stop';
    case 'thinking':
      return 'thinking';
    case 'tool':
      return 'tool reference';
  }
}
