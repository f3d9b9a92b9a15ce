import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import { autoModeSecondCheckTokens, autoModeStop, serverToolTypes, sideTexts } from './claude-code-texts.ts';

/** What kind of side request the body shows, for the log. */
export type SideKind = keyof typeof sideTexts;

export interface SideRequest {
  kind: SideKind;
  /**
   * How much the body alone shows. `shape`: built as no typed prompt is built, and beginning as Claude
   * Code's own do. `likely`: as Claude Code builds it, so that a class header is believed. `name`: enough to call it
   * something.
   */
  proof: 'shape' | 'likely' | 'name';
}

/**
 * What the body says about a request that Claude Code makes beside the conversation; null: it shows none.
 */
export function readSideRequest(body: JsonObject, tools: readonly unknown[]): SideRequest | null {
  const text = firstText(body.messages);
  const begins = (kind: SideKind) => text.startsWith(sideTexts[kind]);
  if (tools.length > 0) {
    if (!tools.every(isServerTool)) return null;
    return { kind: 'web search', proof: begins('web search') ? 'shape' : 'name' };
  }
  if (body.max_tokens === 1) {
    const isProbe = text === sideTexts['model probe'] && body.stream !== true && body.thinking === undefined;
    return { kind: 'model probe', proof: isProbe ? 'likely' : 'name' };
  }
  if (isObject(body.output_config) && isObject(body.output_config.format)) {
    return { kind: 'title', proof: begins('title') && isUnthinking(body) ? 'likely' : 'name' };
  }
  if (isAutoModeStop(body.stop_sequences)) {
    return { kind: 'auto-mode check', proof: begins('auto-mode check') ? 'shape' : 'name' };
  }
  if (body.max_tokens !== autoModeSecondCheckTokens || !begins('auto-mode check')) return null;
  return { kind: 'auto-mode check', proof: isUnthinking(body) ? 'likely' : 'name' };
}

/** A tool that the client itself runs. */
export function isClientTool(tool: unknown): boolean {
  return isObject(tool) && isObject(tool.input_schema);
}

function isServerTool(tool: unknown): boolean {
  if (!isObject(tool) || tool.input_schema !== undefined) return false;
  const { type } = tool;
  return typeof type === 'string' && serverToolTypes.some((known) => type.startsWith(known));
}

function isUnthinking({ thinking }: JsonObject): boolean {
  return thinking === undefined || (isObject(thinking) && thinking.type === 'disabled');
}

function isAutoModeStop(stops: unknown): boolean {
  return Array.isArray(stops) && stops.length === 1 && stops[0] === autoModeStop;
}

/** The text of a conversation of one message; empty for any other. */
function firstText(messages: unknown): string {
  if (!Array.isArray(messages) || messages.length !== 1) return '';
  const [message]: readonly unknown[] = messages;
  if (!isObject(message)) return '';
  if (typeof message.content === 'string') return message.content.trim();
  const block: unknown = Array.isArray(message.content) ? message.content[0] : null;
  return isObject(block) && typeof block.text === 'string' ? block.text.trim() : '';
}
