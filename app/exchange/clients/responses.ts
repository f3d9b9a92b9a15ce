import { pathFor } from '../../copilot/catalog.ts';
import { failureEvents, type OpenAiError } from '../../formats/openai/error.ts';
import { ResponsesCollector } from '../../formats/responses/relay.ts';
import type { JsonObject } from '../../formats/wire/json.ts';
import type { StreamingClient } from './client.ts';
import { notSpoken, openaiStreaming } from './openai.ts';
import { planResponses, readResponses } from './responses-native.ts';
import { planResponsesViaMessages } from './responses-via-messages.ts';

/** OpenAI's Responses. */
export const responses: StreamingClient<JsonObject & { model: string }, OpenAiError> = {
  ...openaiStreaming,
  api: 'responses',
  read: readResponses,
  plan: (request, model, context) => {
    const path = pathFor(model, 'responses');
    if (path === null) throw notSpoken(model);
    return path === '/responses'
      ? planResponses(request, model, context)
      : planResponsesViaMessages(request, model, path, context);
  },
  collector: () => new ResponsesCollector(),
  failureEvents: (envelope, { id, askedModel }) => failureEvents({ id: `resp_${id}`, model: askedModel }, 0, envelope),
};
