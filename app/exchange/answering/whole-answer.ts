import { answerWithoutForm } from '../recover/broken-answer.ts';
import { Stopped } from '../recover/stopped.ts';
import type { AnswerTarget } from './relay.ts';

/** Puts the events of an answer together. */
export interface Collector<Answer extends object = object> {
  push(bytes: Buffer): void;
  /** Null: the events make no whole answer. */
  answer(): Answer | null;
}

/** A whole answer is a collected stream. It takes what comes: `relay` bounds it. */
export function collecting(collector: Pick<Collector, 'push'>): AnswerTarget {
  return {
    write: (bytes) => {
      collector.push(bytes);
      return true;
    },
    drained: (then) => then(),
  };
}

/** Throws `Stopped` where the events make none. */
export function wholeOf<Answer extends object>(collector: Collector<Answer>): Answer {
  const answer = collector.answer();
  if (answer === null) throw new Stopped(answerWithoutForm());
  return answer;
}
