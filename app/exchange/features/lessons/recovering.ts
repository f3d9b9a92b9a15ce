import type { FitNote } from '../../../api/exchange.ts';
import type { ChatPath } from '../../../copilot/catalog.ts';
import type { CopilotFailure } from '../../../copilot/failures.ts';
import type { CatalogModel } from '../../../copilot/model-entry.ts';
import type { Log } from '../../../ports.ts';
import type { Again, Replannable } from '../../feature.ts';
import type { Plan } from '../../plan.ts';
import type { Lesson, Lessons } from './lessons.ts';
import { readLesson, readOpenaiLesson, readUnknownField } from './read-lesson.ts';

/** At most two refusals of one request are recovered; the client gets a third one. */
const mostRecoveries = 2;
/** A new release of a client may bring several fields that are unknown, and Copilot names one at a time. */
const mostUnknownFields = 4;

/**
 * One request that Copilot refuses for something that could not be foreseen and that it can do without: it is fitted
 * again with what the refusals said. A change that changes nothing is not sent.
 */
export class Recovering {
  readonly #lessons: Lessons;
  readonly #log: Log;
  readonly #exchange: string;
  #tried: Lesson[] = [];
  /** Id of the model that they are about. A request may go on with a person's second one. */
  #model: string | null = null;
  #path: ChatPath | null = null;

  constructor({ lessons, log, exchange }: { lessons: Lessons; log: Log; exchange: string }) {
    this.#lessons = lessons;
    this.#log = log;
    this.#exchange = exchange;
  }

  refusal<P extends Replannable<P>>(failure: CopilotFailure, plan: P, model: CatalogModel): Again<P> | null {
    if (this.#model !== model.id) this.#tried = [];
    this.#model = model.id;
    const lesson = withinBounds(read(failure, plan), this.#tried);
    if (lesson === null) return null;
    this.#log.write('info', 'exchange.recovers', { exchange: this.#exchange, from: lesson.kind });
    const next = plan.again(this.#lessons.about(model, plan.path, [...this.#tried, lesson]));
    if (next === null || saysTheSame(next, plan)) return null;
    this.#tried.push(lesson);
    this.#path = plan.path;
    return { plan: next, note: recovered(lesson), because: `refused-${lesson.kind}` };
  }

  /** Copilot took it with these changes, so they hold. */
  taken(model: CatalogModel): void {
    if (this.#path !== null && this.#model === model.id) this.#lessons.learn(model, this.#path, this.#tried);
  }
}

function read<P extends Replannable<P>>(failure: CopilotFailure, plan: P): Lesson | null {
  const { planned } = plan;
  const lesson =
    planned.as === 'messages' ? readLesson(failure, planned.request) : readOpenaiLesson(failure, planned.request);
  return lesson ?? readUnknownField(failure, plan);
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
