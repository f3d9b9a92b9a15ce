import type { Request, Response } from 'express';
import type { Account } from '../account/account.ts';
import { type Catalog, CatalogError } from '../copilot/catalog.ts';
import { isAutoOnly, isOffered } from '../copilot/model.ts';
import { tellOpenai } from '../exchange/clients/openai.ts';
import { absenceContext, absenceOfName } from '../exchange/model/absence.ts';
import { asksForAuto, type ModelChoice, resolveModel } from '../exchange/model/resolve.ts';
import { type ClientError, type RecoverContext, refuseModel } from '../exchange/recover/error.ts';
import { recoverFailure } from '../exchange/recover/recover.ts';
import { admission, answerError } from './answer-error.ts';
import { autoEntry, modelEntry, modelsPage } from './models-page.ts';
import type { Routes } from './routes.ts';

export interface ModelsDependencies {
  /** The account for a client with this label, with its models. */
  used(client: string): { account: Pick<Account, 'state' | 'servesAuto'>; catalog: Catalog };
  overrides(): Record<string, string>;
  recoverContext(client: string): RecoverContext;
}

function answerFailure(request: Request<{ id: string }> | Request, response: Response, error: ClientError): void {
  if (error.retryAfterSeconds !== null) response.setHeader('retry-after', String(error.retryAfterSeconds));
  answerError(request, response, { ...error, openai: tellOpenai(error) });
}

/** The models of this account that a client can be sent to, for Anthropic's and OpenAI's clients alike. */
export function modelsRoutes(dependencies: ModelsDependencies): Routes {
  const failed = (request: Request, response: Response, error: unknown): void => {
    if (!(error instanceof CatalogError)) throw error;
    answerFailure(
      request,
      response,
      recoverFailure(error.failure, dependencies.recoverContext(admission(request).client)),
    );
  };
  const list = async (request: Request, response: Response): Promise<void> => {
    const { account, catalog } = dependencies.used(admission(request).client);
    const models = await catalog.models();
    const auto = account.servesAuto() && isAutoOnly(models) ? [autoEntry] : [];
    response.json(modelsPage([...auto, ...models.filter(isOffered).map(modelEntry)]));
  };
  const one = async (request: Request<{ id: string }>, response: Response): Promise<void> => {
    const asked = request.params.id;
    const { account, catalog } = dependencies.used(admission(request).client);
    const models = await catalog.models();
    if (account.servesAuto() && asksForAuto(asked, dependencies.overrides())) {
      response.json({ ...autoEntry, id: asked });
      return;
    }
    const find = (type: 'chat' | 'embeddings'): ModelChoice =>
      resolveModel(asked, models, { overrides: dependencies.overrides(), longContext: false, type });
    const chat = find('chat');
    // Not in the list, which is for conversations; who knows the name may ask.
    const choice = chat.ok || chat.because === 'disabled' ? chat : find('embeddings');
    if (choice.ok) {
      // The client finds the name it asked for; a dated or dashed form is the same model.
      response.json({ ...modelEntry(choice.model), id: asked });
      return;
    }
    const refusal = chat.ok ? choice : chat;
    const absence = absenceOfName(refusal, absenceContext({ account, catalog }));
    answerFailure(request, response, refuseModel(absence, refusal.offered));
  };
  return (router) => {
    for (const path of ['/v1/models', '/models'] as const) {
      router.get(path, (request, response) =>
        list(request, response).catch((error: unknown) => failed(request, response, error)),
      );
      router.get(`${path}/:id`, (request, response) =>
        one(request, response).catch((error: unknown) => failed(request, response, error)),
      );
    }
  };
}
