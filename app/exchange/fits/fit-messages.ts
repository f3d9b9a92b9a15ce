import type { FitNote } from '../../api.ts';
import type { MessagesRequest } from '../../formats/messages.ts';
import { filterBetas } from './filter-betas.ts';
import type { Fit, FitContext, Refusal } from './fit.ts';

export type { FitContext, Refusal } from './fit.ts';

export type Fitted =
  | { ok: true; request: MessagesRequest; betas: string[]; notes: FitNote[]; vision: boolean }
  | Refusal;

const native: readonly Fit[] = [];
const chat: readonly Fit[] = [];

/** Everything that is changed so that Copilot accepts a Messages request, in the order above. The input is never written to. */
export function fitMessages(request: MessagesRequest, context: FitContext): Fitted {
  const steps = context.path === '/v1/messages' ? native : chat;
  const notes: FitNote[] = [];
  let fitted = request;
  for (const step of steps) {
    const result = step(fitted, context);
    if (!result.ok) return result;
    fitted = result.request;
    notes.push(...result.notes);
  }
  if (context.path !== '/v1/messages') return { ok: true, request: fitted, betas: [], notes, vision: false };
  const betas = filterBetas(context.betas, fitted);
  return { ok: true, request: fitted, betas: betas.betas, notes: [...notes, ...betas.notes], vision: false };
}
