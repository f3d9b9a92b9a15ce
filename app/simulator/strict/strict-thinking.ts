import { asNumber, asObject, asText } from '../json.ts';
import { flatRefusal, type Refusal } from '../refusal.ts';
import { hasBeta, type MessagesCheck } from './messages-check.ts';

/** The rules about thinking: which kind a model takes, how much of it, and what may not stand beside it. */
export function checkThinking(check: MessagesCheck): Refusal | null {
  const thinking = check.body.thinking;
  if (thinking === undefined) return null;
  const type = asText(asObject(thinking).type);
  if (type === 'disabled') return null;
  if (type !== 'enabled' && type !== 'adaptive') {
    return flatRefusal(
      `thinking: Input tag '${type ?? ''}' found using 'type' does not match any of the expected tags: ` +
        `'adaptive', 'disabled', 'enabled'`,
    );
  }
  return checkKind(check, type) ?? checkDisplay(check, type) ?? checkBudget(check, type) ?? checkCompany(check);
}

function checkKind({ model }: MessagesCheck, type: 'enabled' | 'adaptive'): Refusal | null {
  if (type === 'adaptive' && model.adaptiveThinking === 'unsupported') {
    return flatRefusal('adaptive thinking is not supported on this model');
  }
  if (type === 'enabled' && model.adaptiveThinking === 'required') {
    return flatRefusal('"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive".');
  }
  return null;
}

function checkDisplay(check: MessagesCheck, type: string): Refusal | null {
  const display = asObject(check.body.thinking).display;
  if (display === undefined || display === 'omitted' || display === 'summarized') return null;
  if (display === 'updates' && hasBeta(check, 'thinking-display-updates')) return null;
  return flatRefusal(`thinking.${type}.display: Input should be 'omitted' or 'summarized'`);
}

function checkBudget({ body, model, purpose }: MessagesCheck, type: string): Refusal | null {
  if (type !== 'enabled') return null;
  const budget = asNumber(asObject(body.thinking).budget_tokens);
  if (budget === null) return flatRefusal('thinking.enabled.budget_tokens: Field required');
  const least = model.minThinkingBudget ?? 1024;
  if (budget < least) {
    return flatRefusal(`thinking.enabled.budget_tokens: Input should be greater than or equal to ${least}`);
  }
  if (model.maxThinkingBudget !== null && budget > model.maxThinkingBudget) {
    return flatRefusal(
      `thinking.enabled.budget_tokens: Input should be less than or equal to ${model.maxThinkingBudget}`,
    );
  }
  const limit = asNumber(body.max_tokens) ?? Number.POSITIVE_INFINITY;
  return purpose === 'message' && budget >= limit
    ? flatRefusal('`max_tokens` must be greater than `thinking.budget_tokens`.')
    : null;
}

function checkCompany({ body }: MessagesCheck): Refusal | null {
  const choice = asObject(body.tool_choice).type;
  if (choice === 'any' || choice === 'tool') {
    return flatRefusal('Thinking may not be enabled when tool_choice forces tool use.');
  }
  if (body.temperature !== undefined && body.temperature !== 1) {
    return flatRefusal('`temperature` may only be set to 1 when thinking is enabled.');
  }
  if (body.top_k !== undefined) return flatRefusal('`top_k` must be unset when thinking is enabled.');
  const topP = asNumber(body.top_p);
  return topP !== null && topP < 0.95
    ? flatRefusal('`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled.')
    : null;
}
