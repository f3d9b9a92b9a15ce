import type { Request, Response } from 'express';
import { type Catalog, CatalogError } from '../copilot/catalog.ts';
import { isOffered } from '../copilot/model.ts';
import { resolveModel } from '../exchange/model.ts';
import { type RecoverContext, recoverFailure } from '../exchange/recover.ts';
import { modelEntry, modelsPage } from './models-page.ts';
import { answerError, type Routes } from './server.ts';

export interface ModelsParts {
  catalog: Catalog;
  overrides(): Record<string, string>;
  recoverContext(): RecoverContext;
}

/** The models of this account that a client can be sent to, for Anthropic's and OpenAI's clients alike. */
export function modelsRoutes(parts: ModelsParts): Routes {
  const failed = (request: Request, response: Response, error: unknown): void => {
    if (!(error instanceof CatalogError)) throw error;
    const told = recoverFailure(error.failure, parts.recoverContext());
    if (told.retryAfterSeconds !== null) response.setHeader('retry-after', String(told.retryAfterSeconds));
    answerError(request, response, told);
  };
  return (router) => {
    router.get('/v1/models', async (request, response) => {
      try {
        const models = await parts.catalog.models();
        response.json(modelsPage(models.filter(isOffered)));
      } catch (error) {
        failed(request, response, error);
      }
    });
    router.get('/v1/models/:id', async (request, response) => {
      try {
        const asked = request.params.id;
        const models = await parts.catalog.models();
        const choice = resolveModel(asked, models, { overrides: parts.overrides(), longContext: false });
        if (choice.ok) {
          // The client finds the name it asked for; a dated or dashed form is the same model.
          response.json({ ...modelEntry(choice.model), id: asked });
          return;
        }
        const message = `Jumpseat: Copilot has no model "${asked}" for this account. Enabled: ${choice.offered.join(', ')}.`;
        answerError(request, response, { status: 404, type: 'not_found_error', message });
      } catch (error) {
        failed(request, response, error);
      }
    });
  };
}
