import type { Run } from '../run/run.ts';
import type { Cause } from '../web-search/cause.ts';

/** For whom a search is made. @param counted Copilot has counted the prompt behind it, or there was none to count */
export function causeOf({ row, verdict }: Run, counted: boolean): Cause {
  const { id, client, session, prompt } = row;
  return { exchange: id, client, session, prompt, interactionId: verdict?.interactionId ?? null, counted };
}
