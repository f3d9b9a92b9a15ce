import type { IncomingHttpHeaders } from 'node:http';
import type { ClientApi } from '../../api/exchange.ts';
import { isObject, type JsonObject } from '../../formats/wire/json.ts';
import { newInClaudeCode } from './claude-code-new-content.ts';
import {
  autoModeSecondCheckTokens,
  autoModeStop,
  continuationBegins,
  serverToolTypes,
  sideTexts,
  structuredOutputTool,
  subagentBillingMark,
  subagentSystemBegins,
} from './claude-code-texts.ts';
import { answersBefore, type NewContent } from './findings.ts';
import { newInChat, newInMessages, newInResponses } from './new-content.ts';
import { PromptKeys } from './prompt-keys.ts';

/** What a request says about its cause. Holds no word of the prompt. */
export interface PromptReading {
  readonly api: ClientApi;
  /** Hint headers and Claude Code's texts count only if this is true. */
  readonly isClaudeCode: boolean;
  readonly sessionKey: string | null;
  /** Null also where no class came with it: the two come together. */
  readonly promptId: string | null;
  /**
   * As sent: `main`, `subagent`, `workflow`, `compaction`, `auxiliary`, `side_reply`, or what a later release calls it.
   */
  readonly requestClass: string | null;
  readonly firstPartyClass: string | null;
  readonly agentId: string | null;
  readonly agentType: string | null;
  /** `auto`, `manual`, `reactive` as sent. */
  readonly compaction: string | null;
  /** The system prompt reads like a subagent's. */
  readonly hasSubagentSystem: boolean;
  /** What a side request would be for, by its body; null if the body shows none. */
  readonly side: SideRequest | null;
  /** There is a tool that the client itself runs. */
  readonly hasClientTools: boolean;
  /** The tool of `--json-schema` is there. */
  readonly hasStructuredOutput: boolean;
  /** The conversation begins with the summary of an earlier one. */
  readonly isCompacted: boolean;
  readonly newContent: Omit<NewContent, 'said'>;
  /** How many answers the model gave before the new content. Counted when asked for. */
  readonly position: number;
  /** What the ledger knows it by; null if none is kept: for other clients. */
  readonly keys: PromptKeys | null;
  /** What the person said, as a key of the ledger; null if nothing was said. */
  readonly ledgerKey: string | null;
  /** Holds the conversation no longer; says what it said before. */
  letGo(): void;
}

interface PromptInput {
  api: ClientApi;
  headers: IncomingHttpHeaders;
  /** Parsed, as it came in. */
  body: unknown;
  /** Salt of this installation; without it a key could be guessed from words. */
  salt: Buffer;
}

/** Looks at the request as it came in: never at a client's own `x-initiator`, nor at anything that costs. */
export function readPrompt(input: PromptInput): PromptReading {
  return new Reading(input);
}

class Reading implements PromptReading {
  readonly api: ClientApi;
  readonly isClaudeCode: boolean;
  readonly sessionKey: string | null;
  readonly promptId: string | null = null;
  readonly requestClass: string | null = null;
  readonly firstPartyClass: string | null = null;
  readonly agentId: string | null = null;
  readonly agentType: string | null = null;
  readonly compaction: string | null = null;
  readonly hasSubagentSystem: boolean;
  readonly side: SideRequest | null;
  readonly hasClientTools: boolean;
  readonly hasStructuredOutput: boolean;
  readonly isCompacted: boolean;
  readonly newContent: Omit<NewContent, 'said'>;
  readonly keys: PromptKeys | null;
  #messages: readonly unknown[];
  #position: number | null = null;

  constructor({ api, headers, body, salt }: PromptInput) {
    const fields = isObject(body) ? body : {};
    const messages = Array.isArray(fields.messages) ? fields.messages : [];
    const tools = Array.isArray(fields.tools) ? fields.tools : [];
    this.api = api;
    this.isClaudeCode = isFromClaudeCode(api, headers);
    this.sessionKey = header(headers, 'x-claude-code-session-id') ?? sessionInMetadata(fields.metadata);
    if (this.isClaudeCode) {
      this.requestClass = header(headers, 'x-claude-code-request-class');
      if (this.requestClass !== null) this.promptId = header(headers, 'x-claude-code-prompt-id');
      this.firstPartyClass = header(headers, 'x-claude-1p-request-class');
      this.agentId = header(headers, 'x-claude-code-agent-id');
      this.agentType = header(headers, 'x-claude-code-agent-type');
      this.compaction = header(headers, 'x-claude-code-compaction');
    }
    this.hasSubagentSystem = this.isClaudeCode && isSubagentSystem(fields.system);
    this.hasClientTools = tools.some(isClientTool);
    this.hasStructuredOutput = tools.some((tool) => isObject(tool) && tool.name === structuredOutputTool);
    this.isCompacted = this.isClaudeCode && beginsWithSummary(messages);
    this.side = this.isClaudeCode ? readSideRequest(fields, tools) : null;
    this.#messages = messages;
    const { said, ...newContent } = this.#readNewContent(fields, messages);
    this.newContent = newContent;
    this.keys = this.isClaudeCode
      ? new PromptKeys({
          session: this.sessionKey,
          promptId: this.promptId,
          agentId: this.agentId,
          reading: this,
          said,
          isPlaced: newContent.marked || this.promptId === null,
          notified: newContent.notified,
          salt,
        })
      : null;
  }

  get position(): number {
    this.#position ??= answersBefore(this.#messages, this.newContent.boundary);
    return this.#position;
  }

  letGo(): void {
    this.#position = this.position;
    this.keys?.letGo();
    this.#messages = [];
  }

  get ledgerKey(): string | null {
    return this.keys?.words ?? null;
  }

  #readNewContent(fields: JsonObject, messages: readonly unknown[]): NewContent {
    switch (this.api) {
      case 'messages':
      case 'count-tokens':
        return this.isClaudeCode ? newInClaudeCode(messages) : newInMessages(messages);
      case 'chat':
        return newInChat(messages);
      case 'responses':
      case 'embeddings':
      case 'web':
        return newInResponses(fields.input);
    }
  }
}

function isFromClaudeCode(api: ClientApi, headers: IncomingHttpHeaders): boolean {
  if (api !== 'messages' && api !== 'count-tokens') return false;
  if (header(headers, 'x-claude-code-session-id') === null) return false;
  return header(headers, 'user-agent')?.startsWith('claude-cli/') === true;
}

function header(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name];
  const text = (Array.isArray(value) ? value[0] : value)?.trim();
  return text === undefined || text === '' ? null : text;
}

const sessionIdIn = /"session_id"\s*:\s*"([^"\\\p{Cc}]{1,200})"|_session_([0-9a-f-]{36})$/iu;

/** `metadata.user_id` is a JSON text with `session_id`, in older releases `user_x_account__session_y`. */
function sessionInMetadata(metadata: unknown): string | null {
  if (!isObject(metadata) || typeof metadata.user_id !== 'string') return null;
  const found = sessionIdIn.exec(metadata.user_id);
  return found?.[1] ?? found?.[2] ?? null;
}

function isSubagentSystem(system: unknown): boolean {
  const blocks: readonly unknown[] = Array.isArray(system) ? system : [system];
  for (const block of blocks) {
    const text = isObject(block) ? block.text : block;
    if (typeof text !== 'string') continue;
    if (text.startsWith(subagentSystemBegins) || (block === blocks[0] && text.includes(subagentBillingMark)))
      return true;
  }
  return false;
}

function beginsWithSummary(messages: readonly unknown[]): boolean {
  const [message] = messages;
  if (!isObject(message) || message.role !== 'user') return false;
  const content: unknown = Array.isArray(message.content) ? message.content[0] : message.content;
  const text = isObject(content) ? content.text : content;
  return typeof text === 'string' && text.startsWith(continuationBegins);
}

/** What kind of side request the body shows, for the log. */
type SideKind = keyof typeof sideTexts;

interface SideRequest {
  kind: SideKind;
  /**
   * How much the body alone shows. `shape`: built as no typed prompt is built, and beginning as Claude
   * Code's own do. `likely`: as Claude Code builds it, so that a class header is believed. `name`: enough to call it
   * something.
   */
  proof: 'shape' | 'likely' | 'name';
}

/**
 * What the body says about a request that Claude Code makes beside the conversation; null if it shows none.
 */
function readSideRequest(body: JsonObject, tools: readonly unknown[]): SideRequest | null {
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
  const stops = body.stop_sequences;
  if (Array.isArray(stops) && stops.length === 1 && stops[0] === autoModeStop) {
    return { kind: 'auto-mode check', proof: begins('auto-mode check') ? 'shape' : 'name' };
  }
  if (body.max_tokens !== autoModeSecondCheckTokens || !begins('auto-mode check')) return null;
  return { kind: 'auto-mode check', proof: isUnthinking(body) ? 'likely' : 'name' };
}

/** A tool that the client itself runs. */
function isClientTool(tool: unknown): boolean {
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

/** The text of a conversation of one message; empty for any other. */
function firstText(messages: unknown): string {
  if (!Array.isArray(messages) || messages.length !== 1) return '';
  const [message]: readonly unknown[] = messages;
  if (!isObject(message)) return '';
  if (typeof message.content === 'string') return message.content.trim();
  const block: unknown = Array.isArray(message.content) ? message.content[0] : null;
  return isObject(block) && typeof block.text === 'string' ? block.text.trim() : '';
}
