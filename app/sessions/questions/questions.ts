import { randomUUID } from 'node:crypto';
import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk/unstable';
import type { SessionRule } from '../../api/sessions.ts';
import { t } from '../../language/translate.ts';
import { ruleOffer } from '../../words/agents.ts';
import type { FactReader } from '../agents/agent-facts.ts';
import { SessionError } from '../session/error.ts';
import { SessionStoreError } from '../store/session-database.ts';
import type { Recorder } from '../store/session-record.ts';
import type { SessionStore } from '../store/session-store.ts';
import { covers, type PermissionAnswer, type RuleWords, readRule, toResponse } from './permission.ts';

type FormAnswer = { answer: 'form' } & CreateElicitationResponse;
export type Answer = PermissionAnswer | FormAnswer;

/**
 * Who answered: a person, a rule that a person gave before, or neither: the agent withdrew it, the turn was stopped, or
 * the session let go.
 */
type AnsweredBy = 'person' | 'rule' | 'withdrawn' | 'stopped';

interface Answered {
  answer: Answer;
  by: AnsweredBy;
}

/** A question that waits, as fronts are told of it. */
interface OpenQuestion {
  id: string;
  kind: 'permission' | 'form';
  /** The subagent that asks; null for the session itself. */
  child: string | null;
  request: RequestPermissionRequest | CreateElicitationRequest;
  turnId: string | null;
}

interface Open extends OpenQuestion {
  options: RequestPermissionRequest['options'];
  /** Answers that become a rule of the session. */
  lasting: ReadonlyMap<string, RuleWords>;
  settle(answer: Answer, by: AnsweredBy): void;
}

const denied: PermissionAnswer = { answer: 'deny' };
const notAnswered: FormAnswer = { answer: 'form', action: 'cancel' };

/**
 * What a session waits for a person to say. A question is on disk before a front is told of it, counts one answer, and
 * is denied when its turn is stopped. An answer is given to the agent once, and never again after a restart.
 */
export class SessionQuestions {
  readonly #sessionId: string;
  readonly #store: SessionStore;
  readonly #recorder: Recorder;
  readonly #changed: () => void;
  readonly #reader: Pick<FactReader, 'mayOffer' | 'lastingRule'>;
  readonly #open = new Map<string, Open>();
  /** By their ids, the oldest first. */
  readonly open: ReadonlyMap<string, OpenQuestion> = this.#open;

  constructor(
    sessionId: string,
    {
      store,
      recorder,
      changed,
      reader,
    }: {
      store: SessionStore;
      recorder: Recorder;
      changed: () => void;
      /** The agent's options that a person may choose here, and their meaning. */
      reader: Pick<FactReader, 'mayOffer' | 'lastingRule'>;
    },
  ) {
    this.#sessionId = sessionId;
    this.#store = store;
    this.#recorder = recorder;
    this.#changed = changed;
    this.#reader = reader;
  }

  /** What was allowed for this session. */
  rules(): SessionRule[] {
    return this.#store.rules.of(this.#sessionId).flatMap(({ id, rule }) => readRule(id, rule) ?? []);
  }

  /** False: there is no such rule in this session. */
  takeBack(ruleId: string): boolean {
    return this.rules().some(({ id }) => id === ruleId) && this.#store.rules.takeBack(ruleId);
  }

  async permission(
    asked: RequestPermissionRequest,
    context: { turnId: string | null; child: string | null; signal: AbortSignal },
  ): Promise<RequestPermissionResponse> {
    const { options, lasting } = this.#offered(asked);
    const request = { ...asked, options };
    const rule = this.rules().find((rule) => covers(rule, request));
    if (rule !== undefined) {
      const answer: PermissionAnswer = { answer: 'allow' };
      const event = { id: null, toolCallId: request.toolCall.toolCallId, by: 'rule', rule: rule.id, answer };
      this.#recorder.add('answered', event, context.turnId);
      return toResponse(answer, request.options);
    }
    const { answer, by } = await this.#ask('permission', request, { ...context, options, lasting });
    return toResponse(answer.answer === 'form' ? denied : answer, request.options, by === 'stopped');
  }

  /** What the agent would allow from then on, and write into settings, is a rule of the session in its place. */
  #offered(asked: RequestPermissionRequest): Pick<Open, 'options' | 'lasting'> {
    const lasting = new Map<string, RuleWords>();
    const options = asked.options.flatMap((option) => {
      const { optionId } = option;
      if (!this.#reader.mayOffer(optionId)) return [];
      const rule = this.#reader.lastingRule(asked, optionId);
      if (rule === 'none') return [];
      if (rule === null) return [option];
      lasting.set(optionId, rule);
      return [{ ...option, name: ruleOffer(rule) }];
    });
    return { options, lasting };
  }

  async form(
    request: CreateElicitationRequest,
    context: { turnId: string | null; child: string | null; signal: AbortSignal },
  ): Promise<CreateElicitationResponse> {
    const { answer } = await this.#ask('form', request, { ...context, options: [], lasting: new Map() });
    if (answer.answer !== 'form') return { action: answer.answer === 'deny' ? 'decline' : 'cancel' };
    const { answer: _, ...response } = answer;
    return response;
  }

  #ask(
    kind: Open['kind'],
    request: RequestPermissionRequest | CreateElicitationRequest,
    {
      turnId,
      child,
      signal,
      options,
      lasting,
    }: { turnId: string | null; child: string | null; signal: AbortSignal } & Pick<Open, 'options' | 'lasting'>,
  ): Promise<Answered> {
    const unanswered = kind === 'permission' ? denied : notAnswered;
    if (signal.aborted) return Promise.resolve({ answer: unanswered, by: 'withdrawn' });
    const id = randomUUID();
    // Throws where it can't be kept: the agent is told that it failed, and denies.
    this.#store.questions.ask({ id, sessionId: this.#sessionId, turnId, kind, request: { request, child } });
    this.#recorder.addNow('question', { id, kind, child, request }, turnId);
    const { promise, resolve } = Promise.withResolvers<Answered>();
    const withdrawn = (): void => open.settle(unanswered, 'withdrawn');
    const open: Open = {
      ...{ id, kind, child, request, options, lasting, turnId },
      settle: (answer, by) => {
        if (!this.#open.delete(id)) return;
        signal.removeEventListener('abort', withdrawn);
        this.#keepAnswer(id, answer);
        this.#recorder.add('answered', { id, by, rule: null, answer }, turnId);
        resolve({ answer, by });
        this.#changed();
      },
    };
    this.#open.set(id, open);
    signal.addEventListener('abort', withdrawn, { once: true });
    this.#changed();
    return promise;
  }

  /** What can't be written counts all the same: else a full disk would keep a turn from ending. */
  #keepAnswer(id: string, answer: Answer): void {
    try {
      this.#store.questions.answer(id, answer);
    } catch (error) {
      // The store says so itself, and at the next start the question is closed as denied.
      if (!(error instanceof SessionStoreError)) throw error;
    }
  }

  /** False: it is no longer open, and nothing was done. Throws for an answer that does not fit. */
  answer(id: string, given: Answer): boolean {
    const open = this.#open.get(id);
    if (open === undefined) return false;
    const answer = asRule(open, given);
    this.#refuseUnfit(open, answer);
    if (answer.answer === 'allow' && answer.rule !== undefined) {
      this.#store.rules.give(this.#sessionId, randomUUID(), answer.rule);
    }
    open.settle(answer, 'person');
    return true;
  }

  #refuseUnfit(open: Open, answer: Answer): void {
    if ((answer.answer === 'form') !== (open.kind === 'form') && answer.answer !== 'deny') {
      throw new SessionError(
        'not-possible',
        t('This answer is of another kind than its question.'),
        t('Answer it again.'),
      );
    }
    if (answer.answer !== 'allow') return;
    if (toResponse(answer, open.options).outcome.outcome === 'cancelled') {
      throw new SessionError('not-possible', t('The question has no such option.'), t('Choose one that it offers.'));
    }
  }

  /** Denies all questions when the turn was stopped or the session released. */
  denyAll(): void {
    for (const open of [...this.#open.values()]) {
      open.settle(open.kind === 'permission' ? denied : notAnswered, 'stopped');
    }
  }
}

/** An option that means a rule becomes an answer with that rule. */
function asRule({ lasting }: Open, answer: Answer): Answer {
  if (answer.answer !== 'allow' || answer.optionId === undefined) return answer;
  const rule = lasting.get(answer.optionId);
  if (rule === undefined) return answer;
  const { optionId: _, ...once } = answer;
  return { ...once, rule };
}
