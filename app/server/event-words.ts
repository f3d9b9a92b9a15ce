import { inWords, type Words } from '../api/call.ts';
import type { WindowEvent } from '../api/events.ts';
import { agentStateSchema, sessionEventSchema, sessionSchema, sideQuestionSchema } from '../api/sessions.ts';
import { appStateSchema, updateStateSchema } from '../api/state.ts';

/** An event for fronts with its sentences in other words. */
export function eventInWords<Event extends WindowEvent>(event: Event, words: Words): Event;
export function eventInWords(event: WindowEvent, words: Words): WindowEvent {
  switch (event.event) {
    case 'state':
      return { ...event, state: inWords(appStateSchema, event.state, words) };
    case 'session':
      return { ...event, session: inWords(sessionSchema, event.session, words) };
    case 'session-event':
      return { ...event, entry: inWords(sessionEventSchema, event.entry, words) };
    case 'session-side-questions':
      return { ...event, questions: event.questions.map((one) => inWords(sideQuestionSchema, one, words)) };
    case 'agent':
      return { ...event, agent: inWords(agentStateSchema, event.agent, words) };
    case 'update':
      return { ...event, update: inWords(updateStateSchema, event.update, words) };
    default:
      return event;
  }
}
