import type { CatalogModel } from '../copilot/model.ts';

interface Support {
  supported: boolean;
}

/** What a model can do, in the words of Anthropic's list of models; OpenAI's has none. */
export interface ModelCapabilities {
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
export function modelCapabilities({ supports, endpoints }: CatalogModel): ModelCapabilities {
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
