import type { Request, Response } from 'express';
import type { Account } from '../account/account.ts';
import { type Catalog, CatalogError } from '../copilot/catalog.ts';
import { type CatalogModel, isAutoOnly, isOffered } from '../copilot/model-entry.ts';
import { tellOpenai } from '../exchange/clients/openai.ts';
import { absenceContext, absenceOfName } from '../exchange/model/absence.ts';
import { asksForAuto, autoName, type ModelChoice, resolveModel } from '../exchange/model/resolve.ts';
import { type ClientError, type RecoverContext, refuseModel } from '../exchange/recover/error.ts';
import { recoverFailure } from '../exchange/recover/recover.ts';
import { answerError } from './answer-error.ts';
import { admission } from './door.ts';
import type { Routes } from './express-app.ts';

interface Support {
  supported: boolean;
}

/** What a model can do, in the words of Anthropic's list of models; OpenAI's has none. */
interface ModelCapabilities {
  batch: Support;
  citations: Support;
  code_execution: Support;
  context_management: Support &
    Record<'clear_thinking_20251015' | 'clear_tool_uses_20250919' | 'compact_20260112', Support>;
  effort: Support & Record<'low' | 'medium' | 'high' | 'xhigh' | 'max', Support>;
  image_input: Support;
  pdf_input: Support;
  server_tools: Support & { code_execution: Support; web_search: Support };
  structured_outputs: Support;
  thinking: Support & { types: Record<'adaptive' | 'between_tools' | 'disabled' | 'enabled', Support> };
}

/**
 * What holds through Jumpseat. Copilot's catalog says it of images, schemas, effort and thinking, where either kind of
 * thinking is written as the one that the model takes. PDFs, citations and edits of the context need Copilot's
 * `/v1/messages`; batches and tools that a server runs it does not have.
 */
function modelCapabilities({ supports, endpoints }: CatalogModel): ModelCapabilities {
  const native = { supported: endpoints.includes('/v1/messages') };
  const takes = (effort: string): Support => ({ supported: supports.efforts.includes(effort) });
  const thinks = { supported: supports.efforts.length > 0 || supports.maxThinkingBudget !== null };
  return {
    batch: none,
    citations: native,
    code_execution: none,
    context_management: {
      ...native,
      clear_thinking_20251015: native,
      clear_tool_uses_20250919: native,
      compact_20260112: native,
    },
    effort: {
      supported: supports.efforts.length > 0,
      low: takes('low'),
      medium: takes('medium'),
      high: takes('high'),
      xhigh: takes('xhigh'),
      max: takes('max'),
    },
    image_input: { supported: supports.vision },
    pdf_input: native,
    server_tools: { ...none, code_execution: none, web_search: none },
    structured_outputs: { supported: supports.structuredOutputs },
    thinking: {
      ...thinks,
      types: {
        adaptive: thinks,
        between_tools: none,
        disabled: { supported: supports.adaptiveThinking !== 'required' },
        enabled: thinks,
      },
    },
  };
}

const none: Support = { supported: false };

/**
 * One model with the fields of both APIs: Anthropic's `type`, `display_name`, `created_at` and what follows it;
 * OpenAI's `object`, `created`, `owned_by`. Limits are in tokens, and null if Copilot says none.
 */
interface ModelEntry {
  id: string;
  type: 'model';
  object: 'model';
  display_name: string;
  created_at: string;
  created: number;
  owned_by: string;
  description?: string;
  /** What Copilot takes as a prompt, which is less than the context window. */
  max_input_tokens: number | null;
  max_tokens: number | null;
  context_window: number | null;
  /** Null if the model is not known before it is chosen. */
  capabilities: ModelCapabilities | null;
  /** Anthropic's family of models. */
  line: 'opus' | 'sonnet' | 'haiku' | 'fable' | 'mythos' | null;
  lifecycle: 'active';
  deprecated_at: null;
  retires_at: null;
}

interface ModelsPage {
  object: 'list';
  data: ModelEntry[];
  has_more: false;
  first_id: string | null;
  last_id: string | null;
}

/** Copilot's list has no dates, but both APIs require one. The epoch means unknown. */
const unknownDate = { created_at: '1970-01-01T00:00:00Z', created: 0 } as const;

export function modelEntry(model: CatalogModel): ModelEntry {
  const limit = model.limits.promptTokens;
  return {
    id: model.id,
    type: 'model',
    object: 'model',
    display_name: model.name,
    ...unknownDate,
    owned_by: model.vendor,
    ...(limit === null
      ? {}
      : { description: `Through GitHub Copilot; accepts ${Math.round(limit / 1000)}k tokens of prompt` }),
    max_input_tokens: limit,
    max_tokens: model.limits.outputTokens,
    context_window: model.limits.contextTokens,
    capabilities: modelCapabilities(model),
    line: lineOf(model),
    // Copilot's list holds what can be used now, and tells no plans.
    lifecycle: 'active',
    deprecated_at: null,
    retires_at: null,
  };
}

/** GitHub chooses a model for each conversation, so that nothing is known of it. */
const autoEntry: ModelEntry = {
  id: autoName,
  type: 'model',
  object: 'model',
  display_name: 'Auto',
  ...unknownDate,
  owned_by: 'GitHub',
  description: 'Through GitHub Copilot; GitHub chooses a model for each conversation',
  max_input_tokens: null,
  max_tokens: null,
  context_window: null,
  capabilities: null,
  line: null,
  lifecycle: 'active',
  deprecated_at: null,
  retires_at: null,
};

const lines = ['opus', 'sonnet', 'haiku', 'fable', 'mythos'] as const;

function lineOf({ vendor, id }: CatalogModel): ModelEntry['line'] {
  return vendor === 'Anthropic' ? (lines.find((line) => id.split('-').includes(line)) ?? null) : null;
}

/** The whole list: Copilot's is short, so it is never cut into pages. */
export function modelsPage(data: ModelEntry[]): ModelsPage {
  return { object: 'list', data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
}

interface ModelsDependencies {
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
