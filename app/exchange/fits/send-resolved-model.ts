import type { MessagesRequest } from '../../formats/messages/request.ts';
import { changed, type FitContext, type FitResult, unchanged } from './fit.ts';

/** Copilot knows its models by its own spelling only (`claude-sonnet-4.6`, not `claude-sonnet-4-6`): `model_not_supported` otherwise. */
export function sendResolvedModel(request: MessagesRequest, { model }: FitContext): FitResult {
  if (request.model === model.id) return unchanged(request);
  const asked = /^[\w.:@/[\]-]{1,80}$/.test(request.model) ? request.model : '(another name)';
  return changed({ ...request, model: model.id }, 'model', `model: ${asked} → ${model.id}`);
}
