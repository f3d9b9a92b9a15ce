import { pathFor } from '../../../copilot/catalog.ts';
import type { OpenAiError } from '../../../formats/openai/error.ts';
import type { StreamingClient } from '../client.ts';
import { notSpoken, openaiStreaming } from '../openai/streaming.ts';
import { historyWindow } from './history-window.ts';
import { planChat } from './plan.ts';
import { type ChatBody, readChat } from './read.ts';
import { asksForSearch, planChatViaMessages } from './via-messages.ts';

/** OpenAI's Chat Completions. */
export const chat: StreamingClient<ChatBody, OpenAiError> = {
  ...openaiStreaming,
  api: 'chat',
  read: readChat,
  shorten: (request, { openai }) => historyWindow(request, openai.historyTurns),
  plan: (request, model, context) => {
    // A search is made on the way of a Messages request, and where a Claude has that API, it cites by itself.
    const searches = context.search && asksForSearch(request);
    const path = pathFor(model, searches ? 'messages' : 'chat');
    if (path === null) throw notSpoken(model);
    return path === '/chat/completions' && !searches
      ? planChat(request, model, context)
      : planChatViaMessages(request, model, path, context);
  },
  failureEvents: (envelope) => `data: ${JSON.stringify(envelope)}\n\n`,
};
