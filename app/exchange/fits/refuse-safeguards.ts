import type { MessagesRequest } from '../../formats/messages/request.ts';
import { without } from './copy-on-write.ts';
import { changed, type FitContext, type FitResult, unchanged } from './fit.ts';

/**
 * `safeguards` asks the API to judge tool calls, which Copilot does not do. A 400 that names the field is how a gateway says so: Claude
 * Code 2.1.328 repeats the prompt at once without it and checks risky calls itself. Taking the field out silently would leave
 * the client waiting for a verdict first. The field holds paths of this machine: it is never logged.
 */
export function refuseSafeguards(request: MessagesRequest, context: FitContext): FitResult {
  if (request.safeguards === undefined) return unchanged(request);
  if (context.purpose === 'count') {
    return changed(without(request, 'safeguards'), 'safeguards-removed', 'safeguards removed');
  }
  return {
    ok: false,
    status: 400,
    type: 'invalid_request_error',
    message: 'safeguards: Extra inputs are not permitted',
    code: 'safeguards-refused',
    shouldRetry: true,
  };
}
