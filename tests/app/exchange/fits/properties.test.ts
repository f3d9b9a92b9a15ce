import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FitContext, fitMessages } from '../../../../app/exchange/fits/fit-messages.ts';
import type { Message, MessagesRequest } from '../../../../app/formats/messages/request.ts';
import { junkRequests, soundMessages, wildMessages } from './arbitrary-messages.ts';
import { claude, deepFreeze, olderClaude, onChat, onNative, onResponses } from './claude.ts';
import { copilotComplaints } from './copilot-complaints.ts';

const context: fc.Arbitrary<FitContext> = fc.constantFrom(
  onNative(),
  onNative({ model: olderClaude }),
  onNative({ model: claude('claude-opus-4.8') }),
  onChat(),
  onResponses(),
);

const whatWasSaid = (request: MessagesRequest): string[] => JSON.stringify(request.messages).match(/«\d+»/g) ?? [];
const request = (messages: Message[]): MessagesRequest =>
  deepFreeze({ model: 'any', max_tokens: 4000, stream: true, messages });

describe('whatever the conversation', () => {
  it('text, calls and results of a sound one survive in their order', () => {
    fc.assert(
      fc.property(soundMessages, context, (messages, where) => {
        const given = request(messages);
        const fitted = fitMessages(given, where);
        expect(fitted.ok && whatWasSaid(fitted.request)).toEqual(whatWasSaid(given));
      }),
      { numRuns: 300 },
    );
  });

  it('nothing that was said in a broken one gets lost', () => {
    fc.assert(
      fc.property(wildMessages, context, (messages, where) => {
        const given = request(messages);
        const fitted = fitMessages(given, where);
        expect(fitted.ok && whatWasSaid(fitted.request).toSorted()).toEqual(whatWasSaid(given).toSorted());
      }),
      { numRuns: 500 },
    );
  });

  it('Copilot takes it, the same comes out again, and what came out needs no second fitting', () => {
    fc.assert(
      fc.property(wildMessages, context, (messages, where) => {
        const given = request(messages);
        const fitted = fitMessages(given, where);
        if (!fitted.ok) throw new Error(fitted.message);
        expect(fitMessages(given, where)).toEqual(fitted);
        expect(fitMessages(fitted.request, where)).toMatchObject({ request: fitted.request, notes: [] });
        // A conversation that the client itself began with an answer stays what it is.
        const complaints = copilotComplaints(fitted.request, fitted.betas, where.model);
        if (where.path === '/v1/messages')
          expect(complaints.filter((text) => !text.startsWith('first message'))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('fields of any type never make it throw, and the input is never written to', () => {
    fc.assert(
      fc.property(junkRequests, context, (given, where) => {
        expect(() => fitMessages(deepFreeze(given), where)).not.toThrow();
      }),
      { numRuns: 1000 },
    );
  });
});
