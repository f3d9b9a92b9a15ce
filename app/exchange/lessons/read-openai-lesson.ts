import type { CopilotFailure } from '../../copilot/failures.ts';
import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import { isOptionalParameter } from '../fits/optional-parameters.ts';
import { type Lesson, markOf } from './lesson.ts';
import { readEfforts, readOutputTokens, unreadableReasoning } from './read-lesson.ts';

/** As `readLesson`, for a request that is passed through in OpenAI's words. */
export function readOpenaiLesson({ source, status, message }: CopilotFailure, body: JsonObject): Lesson | null {
  if (source !== 'copilot' || status !== 400) return null;
  return reasoning(message, body) ?? readEfforts(message) ?? readOutputTokens(message) ?? parameter(message);
}

/** Bound to the account and the model that wrote it. */
function reasoning(message: string, { input }: JsonObject): Lesson | null {
  if (!unreadableReasoning.some((words) => words.test(message)) || !Array.isArray(input)) return null;
  const marks = new Set<string>();
  for (const item of input as unknown[]) {
    if (isObject(item) && item.type === 'reasoning' && typeof item.encrypted_content === 'string')
      marks.add(markOf(item.encrypted_content));
  }
  return marks.size > 0 ? { kind: 'thinking', marks: [...marks] } : null;
}

/**
 * OpenAI's words for a parameter that a model does not take or takes with one value alone, those of gateways before it,
 * and Anthropic's, which stand behind a Claude's Chat Completions.
 */
const refusals = [
  /Unsupported parameter: ['"]?([\w.[\]]+)['"]? is not supported/i,
  /Unsupported value: ['"]?([\w.[\]]+)['"]? does not support/i,
  /Unknown parameter: ['"]?([\w.[\]]+)/i,
  /Unrecognized request argument supplied: ([\w.[\]]+)/i,
  /([\w.]+): Extra inputs are not permitted/,
];

/** "Hosted tool 'web_search_preview' is not supported with …", "The use of the web search tool is not supported." */
const searchRefused = /web[ _]search\S*(?: tool)? is not supported/i;

function parameter(message: string): Lesson | null {
  if (searchRefused.test(message)) return { kind: 'parameter', name: 'tools.web_search' };
  for (const words of refusals) {
    const [, named = ''] = words.exec(message) ?? [];
    const name = plainName(named);
    if (isOptionalParameter(name)) return { kind: 'parameter', name };
  }
  return null;
}

/** `tools[0].function.strict`, `tools.0.custom.strict` */
function plainName(named: string): string {
  return named
    .replace(/\[\d+\]/g, '')
    .split('.')
    .filter((key) => !/^\d+$/.test(key) && key !== 'custom')
    .join('.');
}
