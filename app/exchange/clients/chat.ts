import type { FitNote } from '../../api/exchange.ts';
import { pathFor } from '../../copilot/catalog.ts';
import { ChatCollector } from '../../formats/chat/collector.ts';
import type { OpenAiError } from '../../formats/openai/error.ts';
import { isObject } from '../../formats/wire/json.ts';
import { asksForSearch, planChat } from './chat-native.ts';
import { type ChatBody, readChat } from './chat-read.ts';
import { planChatViaMessages } from './chat-via-messages.ts';
import type { StreamingClient } from './client.ts';
import { notSpoken, openaiStreaming } from './openai.ts';

/** OpenAI's Chat Completions. */
export const chat: StreamingClient<ChatBody, OpenAiError> = {
  ...openaiStreaming,
  api: 'chat',
  read: readChat,
  shorten: (request, { openai }) => historyWindow(request, openai.historyTurns),
  plan: (request, model, context) => {
    // A search is made on the way of a Messages request, and where a Claude has that API, it cites by itself.
    const searches = context.search !== null && asksForSearch(request);
    const path = pathFor(model, searches ? 'messages' : 'chat');
    if (path === null) throw notSpoken(model);
    return path === '/chat/completions' && !searches
      ? planChat(request, model, context)
      : planChatViaMessages(request, model, path, context);
  },
  collector: () => new ChatCollector(),
  failureEvents: (envelope) => `data: ${JSON.stringify(envelope)}\n\n`,
};

/**
 * What of a conversation goes to Copilot where a person has said how many turns, in the setting that is named: the last
 * system message and the last `turns` turns. A turn begins with what a user says and holds everything up to what one
 * says next, so calls keep their results. Messages of a user in a row begin one turn.
 */
export function historyWindow(
  request: ChatBody,
  turns: number | null,
  setting = 'openai.historyTurns',
): { request: ChatBody; note: FitNote | null } {
  if (turns === null) return { request, note: null };
  const { messages } = request;
  const from = beginnings(messages).at(-turns) ?? 0;
  const before = messages.slice(0, from);
  // Where the window has a system message of its own, that is the last one.
  const kept = messages.slice(from);
  const system = kept.some(isSystem) ? undefined : before.findLast(isSystem);
  const left = before.length - (system === undefined ? 0 : 1);
  if (left === 0) return { request, note: null };
  return {
    request: { ...request, messages: system === undefined ? kept : [system, ...kept] },
    note: {
      code: 'history-window',
      count: left,
      text: `older messages left out (${setting} ${turns})${left > 1 ? ` ×${left}` : ''}`,
    },
  };
}

/** Where each turn begins. Never between a call and its results, even if a user's words are there. */
function beginnings(messages: ChatBody['messages']): number[] {
  const found: number[] = [];
  const open = new Set<unknown>();
  let last: unknown = null;
  for (const [at, message] of messages.entries()) {
    if (message.role === 'user' && last !== 'user' && open.size === 0) found.push(at);
    // What a model says next ends the calls without a result.
    if (message.role === 'assistant') open.clear();
    for (const id of callIds(message)) open.add(id);
    if (message.role === 'tool') open.delete(message.tool_call_id);
    if (!isSystem(message)) last = message.role;
  }
  return found;
}

function callIds({ tool_calls: calls }: ChatBody['messages'][number]): unknown[] {
  return Array.isArray(calls) ? calls.map((call: unknown) => (isObject(call) ? call.id : undefined)) : [];
}

function isSystem({ role }: ChatBody['messages'][number]): boolean {
  return role === 'system' || role === 'developer';
}
