import type { AutoSession } from '../../account/sdk/endpoint.ts';
import type { FitNote } from '../../api/exchange.ts';
import type { CopilotFailure } from '../../copilot/failures.ts';
import type { CatalogModel } from '../../copilot/model.ts';
import { refuse, refuseInOwnWords } from '../recover/refuse.ts';
import { Stopped } from '../recover/stopped.ts';
import type { AutoModels } from './auto-models.ts';
import { autoUnknown, chosenBefore, chosenNow, noAuto } from './auto-words.ts';

/** The model that GitHub chose for this conversation. Rejects with `Stopped` where there is none, or `AccountError`. */
export async function chooseAuto(
  auto: Pick<AutoModels, 'of' | 'end'>,
  conversation: string,
  models: readonly CatalogModel[],
): Promise<{ session: AutoSession; model: CatalogModel; note: FitNote }> {
  const chosen = await auto.of(conversation);
  if (chosen === null) throw new Stopped(refuseInOwnWords(503, 'api_error', 'auto-none', noAuto, false));
  const { session, isNew } = chosen;
  const model = models.find(({ id, type }) => id === session.model && type === 'chat');
  if (model === undefined) {
    auto.end(conversation, session);
    throw new Stopped(refuse(502, 'api_error', 'auto-unknown', autoUnknown(session.model)));
  }
  return { session, model, note: { code: 'model-auto', count: 1, text: isNew ? chosenNow : chosenBefore } };
}

/** Copilot may refuse what lets GitHub's choice in, rather than the request. */
export function mayBeAutos({ status, code }: CopilotFailure): boolean {
  return status === 401 || status === 403 || code === 'model_not_supported';
}
