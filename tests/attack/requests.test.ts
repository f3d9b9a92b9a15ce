import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Exchange, Path } from '../../app/api/exchange.ts';
import { pathFor } from '../../app/copilot/catalog.ts';
import { readCatalog } from '../../app/copilot/model-entry.ts';
import { historyWindow } from '../../app/exchange/clients/chat.ts';
import { planChat } from '../../app/exchange/clients/chat-native.ts';
import { readChat } from '../../app/exchange/clients/chat-read.ts';
import { planChatViaMessages } from '../../app/exchange/clients/chat-via-messages.ts';
import { embeddingsBatches, readEmbeddings } from '../../app/exchange/clients/embeddings.ts';
import type { OpenaiContext } from '../../app/exchange/clients/openai.ts';
import { planResponses, readResponses } from '../../app/exchange/clients/responses-native.ts';
import { planResponsesViaMessages } from '../../app/exchange/clients/responses-via-messages.ts';
import { decideInitiator } from '../../app/exchange/initiator/decide.ts';
import { readPrompt } from '../../app/exchange/initiator/reading.ts';
import { planMessages } from '../../app/exchange/plan.ts';
import { requestShape } from '../../app/exchange/record.ts';
import { Stopped } from '../../app/exchange/recover/error.ts';
import { readMessagesRequest } from '../../app/formats/messages/request.ts';
import { type Answer, type Stack, startStack } from '../app/stack.ts';
import { type Body, chatBody, embeddingsBody, type Json, messagesBody, mutated, responsesBody } from './grammar.ts';
import { onePathModels } from './one-path.ts';
import { rounds, seed } from './rounds.ts';

/** Requests of every API, whole and with wrong values anywhere, on every path there is. */

const models = ['claude-sonnet-4.6', 'claude-haiku-4.5', 'gpt-4.1', 'gpt-5.4', 'gpt-5-mini', 'gemini-3.1-pro-preview'];
const apis = ['messages', 'count-tokens', 'chat', 'responses', 'embeddings'] as const;
type Api = (typeof apis)[number];

const bodies: Readonly<Record<Api, fc.Arbitrary<Body>>> = {
  messages: messagesBody(models),
  'count-tokens': messagesBody(models),
  chat: chatBody(models),
  responses: responsesBody(models),
  embeddings: embeddingsBody(['text-embedding-3-small']),
};

const catalog = readCatalog({ data: onePathModels() });
const context: OpenaiContext = {
  ...{ streamed: true, id: 'ex', now: 0, search: null, learned: () => null },
  whySearchIsOff: () => 'Web search is off.',
};
const salt = Buffer.from('salt');
const noLedger = { accepted: () => null, refusals: () => ({ count: 0, lastStatus: null }), agentCalls: () => 0 };

/** Every step before a request is sent. Throws `Stopped` for what is refused with words. */
function prepare(api: Api, body: unknown): void {
  const modelOf = (name: unknown) => catalog.find(({ id }) => id === name);
  const judge = (of: 'messages' | 'chat' | 'responses'): void => {
    requestShape(body, 1);
    decideInitiator(readPrompt({ api: of, headers: {}, body, salt }), noLedger);
  };
  if (api === 'embeddings') {
    const request = readEmbeddings(body);
    const model = modelOf(request.model);
    if (model !== undefined) embeddingsBatches(request, model);
  } else if (api === 'chat') {
    const asked = readChat(body);
    judge('chat');
    const { request } = historyWindow(asked, 2);
    const model = modelOf(request.model);
    const path = model === undefined ? null : pathFor(model, 'chat');
    if (model === undefined || path === null) return;
    if (path === '/chat/completions') planChat(request, model, context);
    else planChatViaMessages(request, model, path, context);
  } else if (api === 'responses') {
    const request = readResponses(body);
    judge('responses');
    const model = modelOf(request.model);
    const path = model === undefined ? null : pathFor(model, 'responses');
    if (model === undefined || path === null) return;
    if (path === '/responses') planResponses(request, model, context);
    else planResponsesViaMessages(request, model, path, context);
  } else {
    const read = readMessagesRequest(body);
    if (!read.ok) return;
    judge('messages');
    const model = modelOf(read.request.model);
    const path = model === undefined ? null : pathFor(model, 'messages');
    if (model === undefined || path === null) return;
    const bytes = Buffer.from(JSON.stringify(body));
    planMessages(read.request, { model, path, headers: {}, documentModel: null, messageId: 'ex', bytes });
  }
}

describe('before a request is sent', () => {
  it.each(apis)(
    '%s: whatever stands where, it is refused with words or goes on',
    (api) => {
      fc.assert(
        fc.property(mutated(bodies[api]), ({ body }) => {
          try {
            prepare(api, JSON.parse(JSON.stringify(body)));
          } catch (error) {
            // Deeper than can be written: told as such.
            if (!(error instanceof Stopped) && !(error instanceof RangeError)) throw error;
          }
        }),
        { numRuns: rounds(1500, 60_000), seed },
      );
    },
    600_000,
  );
});

describe('through the product', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ simulator: { keepRequests: 20, models: onePathModels() } });
  });
  afterAll(() => stack.close());

  const paths: Readonly<Record<Api, string>> = {
    messages: '/v1/messages',
    'count-tokens': '/v1/messages/count_tokens',
    chat: '/v1/chat/completions',
    responses: '/v1/responses',
    embeddings: '/v1/embeddings',
  };
  let rows = 0;

  /** Where Copilot speaks the client's own API, it names what is wrong as the client knows it. */
  const own: Readonly<Record<Api, Path>> = {
    messages: '/v1/messages',
    'count-tokens': '/v1/messages',
    chat: '/chat/completions',
    responses: '/responses',
    embeddings: '/embeddings',
  };

  async function post(api: Api, body: Json): Promise<[Answer, Exchange | undefined]> {
    const anthropic = api === 'messages' || api === 'count-tokens';
    const answer = await stack.send({
      method: 'POST',
      path: paths[api],
      headers: { 'content-type': 'application/json', ...(anthropic ? { 'anthropic-version': '2023-06-01' } : {}) },
      body: JSON.stringify(body),
    });
    rows += 1;
    const all = await stack.rows(rows);
    expect(all).toHaveLength(rows);
    expect(all.at(-1)?.status).toBe(answer.status);
    return [answer, all.at(-1)];
  }

  /** An error as the client's own API has it, with a sentence that a log can hold. */
  function isError(api: Api, answer: Answer): void {
    const said: unknown = answer.json();
    const error = { type: expect.any(String), message: expect.stringMatching(/\S/) };
    if (api === 'messages' || api === 'count-tokens')
      expect(said).toMatchObject({ type: 'error', error, request_id: answer.headers['request-id'] });
    else
      expect(said).toMatchObject({
        error: { ...error, code: expect.toSatisfy(isWord), param: expect.toSatisfy(isWord) },
      });
    expect(answer.text.length).toBeLessThan(10_000);
  }
  const isWord = (value: unknown): boolean => value === null || typeof value === 'string';

  it.each(apis)(
    '%s: never a 500 for a client’s mistake, one row each, an error that its API knows',
    async (api) => {
      await fc.assert(
        fc.asyncProperty(mutated(bodies[api]), async ({ body, changes }) => {
          const [answer, row] = await post(api, body);
          if (answer.status !== 200) isError(api, answer);
          expect(answer.status).toBeLessThan(500);
          // Elsewhere it would speak of a request that the client has never seen: what is wrong is told before.
          // How deep is too deep differs with each program on the way, and is said in the same words for every API.
          if (row?.failure?.source === 'copilot' && !answer.text.includes('nested too deeply'))
            expect([row.path, answer.text]).toEqual([own[api], answer.text]);
          if (changes === 0) expect([answer.status, answer.text]).toEqual([200, answer.text]);
          // A refusal of Copilot's is told; a fault of ours would stand in the log.
          expect(stack.log.filter(({ level }) => level === 'error')).toEqual([]);
        }),
        { numRuns: rounds(40, 3000), seed },
      );
      expect(stack.simulator.script.violations).toEqual([]);
    },
    1_200_000,
  );
});
