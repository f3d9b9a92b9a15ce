import type { MessagesRequest } from '../../formats/messages/request.ts';
import { claudeVersion } from './claude-version.ts';
import { changed, type FitContext, type FitResult, unchanged } from './fit.ts';

/** Since 4.6 a Claude refuses a conversation that ends with an answer prepared for it (anthropics/claude-code#52433). Older ones go on from it. */
export function continueAfterPrefill(request: MessagesRequest, { model }: FitContext): FitResult {
  if (request.messages.at(-1)?.role !== 'assistant') return unchanged(request);
  const version = claudeVersion(model);
  if (version === null || version[0] < 4 || (version[0] === 4 && version[1] < 6)) return unchanged(request);
  const next = { role: 'user', content: [{ type: 'text', text: 'Please continue.' }] };
  const messages = [...request.messages, next];
  return changed({ ...request, messages }, 'continue-message-added', 'prefill: continue message added');
}
