import type { Charge, FitNote } from '../../api/exchange.ts';
import type { AnswerFacts } from '../../formats/answer/answer.ts';
import { unexplained } from './meter.ts';

/** A difference within Copilot's own bill that is worth a note: 0.001 credits. */
const tellableNanoAiu = 1e6;

/** What the log says of an answer that is over: parts of its bill that do not add up, events that could not be read. */
export function endNotes(charge: Charge, { unreadable }: Pick<AnswerFacts, 'unreadable'>): FitNote[] {
  const notes: FitNote[] = [];
  const off = unexplained(charge);
  if (off !== null && Math.abs(off) > tellableNanoAiu) {
    const total = charge.nanoAiu ?? 0;
    const text = `The parts add up to ${(total - off) / 1e9} credits; Copilot billed ${total / 1e9}.`;
    notes.push({ code: 'charge-parts-differ', count: 1, text });
  }
  if (unreadable > 0)
    notes.push({ code: 'unreadable-events', count: unreadable, text: 'events without JSON left out' });
  return notes;
}
