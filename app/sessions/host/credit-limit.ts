import { turnFailureWords, wholeFailure } from '../../words/turn-failure.ts';
import { SessionError } from './session-error.ts';

/** A turn has cost the most that the person lets one cost. */
export class CreditLimit extends SessionError {
  readonly credits: number;
  constructor(credits: number) {
    const words = turnFailureWords('limit', { credits }, '');
    const mend = 'Send a message to go on, or change the limit in Settings.';
    super('limit', words === null ? '' : wholeFailure(words), mend);
    this.credits = credits;
  }
}
