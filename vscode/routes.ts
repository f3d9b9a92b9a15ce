import { tellOpenai } from '../app/exchange/clients/openai.ts';
import { type ClientError, Stopped } from '../app/exchange/recover/error.ts';
import { answerError } from '../app/server/answer-error.ts';
import type { CallRoute, Routes } from '../app/server/express-app.ts';
import { modelEntry, modelsPage } from '../app/server/models-routes.ts';
import type { RunningCalls } from '../app/server/take-call.ts';
import { take } from '../app/server/take-call.ts';
import { catalogModel } from '../app/through-vscode/catalog-model.ts';
import type { LmExchange } from './exchange.ts';
import { copilotUnavailable } from './failures.ts';
import type { LmModel } from './models.ts';
import { chooseModel } from './prepare.ts';
import type { CopilotHealth } from './status.ts';

export function callRoutes(exchange: LmExchange, running: RunningCalls): CallRoute[] {
  const route = (path: string, serve: LmExchange['chat']): CallRoute => ({
    method: 'POST',
    path,
    handle: (request, response) => take(request, response, running, serve),
  });
  return [
    route('/v1/messages', exchange.messages),
    route('/v1/messages/count_tokens', exchange.countTokens),
    ...['/v1', ''].flatMap((base) => [
      route(`${base}/chat/completions`, exchange.chat),
      route(`${base}/responses`, exchange.responses),
    ]),
  ];
}

/** `GET /healthz`: from what is known already. It asks neither VS Code nor the person. */
export function healthRoute(version: string, copilot: () => CopilotHealth): CallRoute {
  return {
    method: 'GET',
    path: '/healthz',
    handle: async (_request, response) => {
      const { state, reason } = copilot();
      const body = Buffer.from(
        JSON.stringify({ ok: true, copilot: state, ...(reason === null ? {} : { reason }), version }),
      );
      response.writeHead(200, {
        'x-jumpseat': version,
        'content-type': 'application/json; charset=utf-8',
        'content-length': body.length,
      });
      response.end(body);
    },
  };
}

/** The models that VS Code offers of Copilot's, in the words of both APIs. */
export function modelsRoutes(models: () => Promise<readonly LmModel[]>, window: string): Routes {
  const some = async (): Promise<readonly LmModel[]> => {
    const found = await models();
    if (found.length === 0) throw new Stopped(copilotUnavailable(window));
    return found;
  };
  return (router) => {
    for (const path of ['/v1/models', '/models'] as const) {
      router.get(path, async (request, response) => {
        await orProblem(request, response, async () => modelsPage((await some()).map(catalogModel).map(modelEntry)));
      });
      router.get(`${path}/:id`, async (request, response) => {
        const { id } = request.params;
        await orProblem(request, response, async () => {
          const { choice } = chooseModel(id, await some());
          // The client finds the name it asked for; a dated or dashed form is the same model.
          return { ...modelEntry(choice.model), id };
        });
      });
    }
  };
}

type RouteRequest = Parameters<typeof answerError>[0];
type RouteResponse = Parameters<typeof answerError>[1] & { json(body: object): unknown };

async function orProblem(request: RouteRequest, response: RouteResponse, answer: () => Promise<object>): Promise<void> {
  try {
    response.json(await answer());
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    tell(request, response, error.error);
  }
}

function tell(request: RouteRequest, response: RouteResponse, error: ClientError): void {
  answerError(request, response, { ...error, openai: tellOpenai(error) });
}
