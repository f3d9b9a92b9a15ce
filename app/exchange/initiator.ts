import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ClientApi, Initiator, ReasonCode } from '../api/exchange.ts';
import {
  autoModeSecondCheckTokens,
  autoModeStop,
  type MachineKind,
  serverToolTypes,
  subagentBillingMark,
  subagentSystemBegins,
} from './claude-code-texts.ts';
import {
  answersBefore,
  type Fields,
  isFields,
  readChatTail,
  readClaudeCodeTail,
  readMessagesTail,
  readResponsesTail,
  type Said,
  type Tail,
} from './tail.ts';

/**
 * Who caused a request: `user` when a person just did something, `agent` when the client went on by itself. In doubt `user`.
 *
 * Two pure steps, so that the ledger can be asked in between: `readPrompt` looks at the request as it came in, `decideInitiator` goes
 * through the table in README.md, "Who started it". Neither looks at a client's own `x-initiator`, nor at anything that costs.
 */

/** What kind of side request the body shows, for the log. */
export type AuxiliaryKind = 'title' | 'web search' | 'auto-mode check' | 'model probe';

/** What a request says about its cause. Holds no word of the prompt. */
export interface PromptReading {
  readonly api: ClientApi;
  /** Only then are the hint headers and the texts of Claude Code believed. */
  readonly isClaudeCode: boolean;
  readonly sessionKey: string | null;
  readonly promptId: string | null;
  /** As sent: `main`, `subagent`, `workflow`, `compaction`, `auxiliary`, `side_reply`, or what a later release calls it. */
  readonly requestClass: string | null;
  readonly firstPartyClass: string | null;
  readonly agentId: string | null;
  readonly agentType: string | null;
  /** `auto`, `manual`, `reactive` as sent. */
  readonly compaction: string | null;
  /** A header, the class or the system prompt says so. */
  readonly isSubagent: boolean;
  /** What a side request would be for, by its body; null when nothing speaks for one. */
  readonly auxiliaryKind: AuxiliaryKind | null;
  /** The body alone is sure enough about that where no class header came. */
  readonly isAuxiliaryByBody: boolean;
  /** There is a tool that the client itself runs. */
  readonly hasClientTools: boolean;
  readonly tail: Omit<Tail, 'said'>;
  /** How many answers the model gave before the tail. Counted when asked for. */
  readonly position: number;
  /**
   * What a person said here, as a salted hash for the ledger; null where no ledger is kept (other clients, nothing said).
   * Hashed at the first look.
   */
  readonly ledgerKey: string | null;
}

/** How an accepted attempt ended: not yet, delivered whole, ended early by Copilot or by us, broken off by the client. */
export type LedgerEnding = 'running' | 'whole' | 'cut' | 'left';

/** What the decision asks the record of accepted prompts. */
export interface LedgerView {
  /** Null: no attempt with this key was accepted. */
  accepted(key: string): { ending: LedgerEnding } | null;
  /** Attempts with this key that were not accepted; `lastStatus` null where no answer came. */
  refusals(key: string): { count: number; lastStatus: number | null };
}

export type InteractionType =
  | 'conversation-agent'
  | 'conversation-subagent'
  | 'conversation-compaction'
  | 'conversation-background';

export interface Verdict {
  initiator: Initiator;
  code: ReasonCode;
  /** Which rule decided, a finer name than the code: `main-new-prompt`, `class-subagent`, … */
  rule: string;
  /** For the log. Holds ids and names of tools and agents, never a word of the prompt. */
  sentence: string;
  interactionType: InteractionType;
  /** The prompt's own id where the client gave one; else `Interactions` finds it. */
  interactionId: string | null;
  /** What to enter into the ledger when Copilot accepts this attempt; null: nothing. */
  ledgerKey: string | null;
}

export interface PromptInput {
  api: ClientApi;
  headers: IncomingHttpHeaders;
  /** Parsed, as it came in. */
  body: unknown;
  /** Of this installation; without it a key cannot be guessed from words. */
  salt: Buffer;
}

export function readPrompt(input: PromptInput): PromptReading {
  return new Reading(input);
}

/** Not for embeddings: they carry no initiator. */
export function decideInitiator(reading: PromptReading, ledger: LedgerView): Verdict {
  if (reading.api === 'count-tokens') {
    return agent(reading, 'token-count', 'token-count', 'token counting, not a prompt', 'conversation-background');
  }
  return reading.isClaudeCode ? decideForClaudeCode(reading, ledger) : decideForOthers(reading);
}

function decideForClaudeCode(reading: PromptReading, ledger: LedgerView): Verdict {
  const { tail, requestClass } = reading;
  if (tail.marked) return decideMarked(reading, ledger);
  if (reading.isSubagent) return subagent(reading);
  if (isCompaction(reading)) return compaction(reading);
  if (requestClass === 'auxiliary' || requestClass === 'side_reply') return decideAuxiliary(reading, requestClass);
  if (requestClass === null && reading.isAuxiliaryByBody) return auxiliary(reading, 'class-auxiliary');
  if (tail.words) return decideWords(reading, ledger);
  if (tail.unknown) return unclear(reading);
  if (tail.toolResults > 0) return toolResults(reading, requestClass === 'main' ? 'main-seen-prompt' : 'body-agent');
  const machine = tail.machine.at(-1);
  return machine === undefined ? unclear(reading) : machineText(reading, machine);
}

/** Claude Code's own texts mean nothing in another client's mouth: all text is words. */
function decideForOthers(reading: PromptReading): Verdict {
  const { tail, api } = reading;
  const openai = api === 'chat' || api === 'responses';
  if (tail.words) return user(reading, 'prompt', openai ? 'openai-user' : 'body-user', 'new prompt');
  if (tail.toolResults > 0 && !tail.unknown) return toolResults(reading, openai ? 'openai-agent' : 'body-agent');
  return unclear(reading);
}

function decideMarked(reading: PromptReading, ledger: LedgerView): Verdict {
  if (isRepeat(reading, ledger)) return repeat(reading, 'repeat of a message that was already answered');
  const sentence = withAttempt('you wrote while it was working', attemptOf(reading, ledger));
  return user(reading, 'interjection', 'main-interjection', sentence);
}

function decideWords(reading: PromptReading, ledger: LedgerView): Verdict {
  if (isRepeat(reading, ledger)) return repeat(reading, 'repeat of a prompt that was already answered');
  const attempt = attemptOf(reading, ledger);
  if (reading.requestClass === 'main' && reading.firstPartyClass === 'background-task') {
    const sentence = withAttempt('scheduled prompt (counted as yours: you set it up)', attempt);
    return user(reading, 'scheduled', 'scheduled', sentence);
  }
  if (attempt !== null) return user(reading, 'prompt', 'attempt', withAttempt('prompt', attempt));
  const rule = reading.requestClass === 'main' ? 'main-new-prompt' : 'body-user';
  const id = reading.promptId === null ? '' : ` ${shortId(reading.promptId)}`;
  return user(reading, 'prompt', rule, `new prompt${id}`);
}

function decideAuxiliary(reading: PromptReading, requestClass: 'auxiliary' | 'side_reply'): Verdict {
  const { firstPartyClass, hasClientTools, tail } = reading;
  if ((firstPartyClass === null || firstPartyClass === 'main') && hasClientTools && tail.words) {
    // No key: the same words as a prompt of its own must not pass for its repeat.
    return { ...user(reading, 'side-question', 'side-question', 'side question you typed'), ledgerKey: null };
  }
  return auxiliary(reading, requestClass === 'side_reply' ? 'class-side-reply' : 'class-auxiliary');
}

/**
 * Accepted once, the same words under the same prompt id are the client's own repeat. Without an id they are that only if the
 * attempt ended early on our side: after a whole answer, or one that the person broke off, they are the person asking again.
 */
function isRepeat(reading: PromptReading, ledger: LedgerView): boolean {
  const accepted = reading.ledgerKey === null ? null : ledger.accepted(reading.ledgerKey);
  return accepted !== null && (reading.promptId !== null || accepted.ending === 'cut');
}

interface Attempt {
  /** From 2 on. */
  number: number;
  lastStatus: number | null;
}

/** Null for the first attempt, and where the same words were answered already. */
function attemptOf(reading: PromptReading, ledger: LedgerView): Attempt | null {
  const key = reading.ledgerKey;
  if (key === null || ledger.accepted(key) !== null) return null;
  const { count, lastStatus } = ledger.refusals(key);
  return count > 0 ? { number: count + 1, lastStatus } : null;
}

function withAttempt(what: string, attempt: Attempt | null): string {
  if (attempt === null) return what;
  const { number, lastStatus } = attempt;
  const refused = lastStatus !== null && lastStatus >= 300;
  const outcome = refused ? `was refused with ${lastStatus}` : 'brought no answer';
  return `${what}, ${ordinal(number)} attempt; the ${ordinal(number - 1)} ${outcome}`;
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

function ordinal(number: number): string {
  return ordinals[number - 1] ?? `${number}.`;
}

function isCompaction(reading: PromptReading): boolean {
  const { requestClass, compaction, tail } = reading;
  return requestClass === 'compaction' || compaction !== null || (requestClass === null && tail.endsWithCompaction);
}

function user(reading: PromptReading, code: ReasonCode, rule: string, sentence: string): Verdict {
  return verdict(reading, 'user', code, rule, sentence, 'conversation-agent', reading.ledgerKey);
}

/** The key goes along: how this attempt ends decides whether the next one is a repeat, too. */
function repeat(reading: PromptReading, sentence: string): Verdict {
  return verdict(reading, 'agent', 'repeat', 'repeat', sentence, 'conversation-agent', reading.ledgerKey);
}

function agent(
  reading: PromptReading,
  code: ReasonCode,
  rule: string,
  sentence: string,
  type: InteractionType = 'conversation-agent',
): Verdict {
  return verdict(reading, 'agent', code, rule, sentence, type, null);
}

function verdict(
  reading: PromptReading,
  initiator: Initiator,
  code: ReasonCode,
  rule: string,
  sentence: string,
  interactionType: InteractionType,
  ledgerKey: string | null,
): Verdict {
  const { promptId } = reading;
  const interactionId = promptId !== null && uuid.test(promptId) ? promptId : null;
  return { initiator, code, rule, sentence, interactionType, interactionId, ledgerKey };
}

function subagent(reading: PromptReading): Verdict {
  const type = reading.agentType === null ? '' : ` ${printable(reading.agentType)}`;
  const workflow = reading.requestClass === 'workflow';
  const sentence = workflow ? 'workflow' : `subagent${type}`;
  return agent(reading, 'subagent', workflow ? 'class-workflow' : 'class-subagent', sentence, 'conversation-subagent');
}

function compaction(reading: PromptReading): Verdict {
  const how = reading.compaction === null ? '' : ` (${printable(reading.compaction)})`;
  return agent(reading, 'compaction', 'class-compaction', `compaction${how}`, 'conversation-compaction');
}

function auxiliary(reading: PromptReading, rule: string): Verdict {
  return agent(reading, 'auxiliary', rule, reading.auxiliaryKind ?? 'auxiliary', 'conversation-background');
}

function toolResults(reading: PromptReading, rule: string): Verdict {
  return agent(reading, 'tool-results', rule, toolsSentence(reading.tail.tools));
}

const namesShown = 4;

function toolsSentence(tools: readonly string[]): string {
  if (tools.length === 0) return 'results of tools';
  const shown = tools.slice(0, namesShown).map(printable).join(', ');
  return tools.length > namesShown
    ? `results of ${shown} and ${tools.length - namesShown} more`
    : `results of ${shown}`;
}

function machineText(reading: PromptReading, kind: MachineKind): Verdict {
  switch (kind) {
    case 'notification':
      return agent(reading, 'notification', 'main-notification', 'background task finished', 'conversation-background');
    case 'resume':
      return agent(reading, 'resume', 'resume', 'answer resumed after a cut');
    case 'hook':
      return agent(reading, 'hook', 'hook', 'stop hook');
    case 'continuation':
      return agent(reading, 'continuation', 'continuation', 'continued after compaction');
    case 'compaction':
      return compaction(reading);
  }
}

function unclear(reading: PromptReading): Verdict {
  return { ...user(reading, 'unclear', 'unsure', 'could not be told; counted as yours'), ledgerKey: null };
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Names that clients choose, made fit for one line. */
function printable(name: string): string {
  const clean = name.replace(/[^\x20-\x7e]/g, '?');
  return clean.length > 64 ? `${clean.slice(0, 63)}…` : clean;
}

function shortId(id: string): string {
  const clean = printable(id);
  return clean.length > 4 ? `${clean.slice(0, 4)}…` : clean;
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
  readonly isSubagent: boolean;
  readonly auxiliaryKind: AuxiliaryKind | null;
  readonly isAuxiliaryByBody: boolean;
  readonly hasClientTools: boolean;
  readonly tail: Omit<Tail, 'said'>;
  /** Private, so that no log line or test output can show them. */
  readonly #said: readonly Said[];
  readonly #messages: readonly unknown[];
  readonly #salt: Buffer;
  #ledgerKey: string | null | undefined;

  constructor({ api, headers, body, salt }: PromptInput) {
    const fields = isFields(body) ? body : {};
    const messages = Array.isArray(fields.messages) ? fields.messages : [];
    this.api = api;
    this.isClaudeCode = isFromClaudeCode(api, headers);
    this.sessionKey = header(headers, 'x-claude-code-session-id') ?? sessionInMetadata(fields.metadata);
    if (this.isClaudeCode) {
      this.promptId = header(headers, 'x-claude-code-prompt-id');
      this.requestClass = header(headers, 'x-claude-code-request-class');
      this.firstPartyClass = header(headers, 'x-claude-1p-request-class');
      this.agentId = header(headers, 'x-claude-code-agent-id');
      this.agentType = header(headers, 'x-claude-code-agent-type');
      this.compaction = header(headers, 'x-claude-code-compaction');
    }
    this.isSubagent = this.isClaudeCode && this.#saysSubagent(fields.system);
    const tools = Array.isArray(fields.tools) ? fields.tools : [];
    this.hasClientTools = tools.some(isClientTool);
    const side = this.isClaudeCode ? sideRequest(fields, tools) : null;
    this.auxiliaryKind = side?.kind ?? null;
    this.isAuxiliaryByBody = side?.sure ?? false;
    const { said, ...tail } = this.#readTail(fields, messages);
    this.tail = tail;
    this.#said = said;
    this.#messages = messages;
    this.#salt = salt;
  }

  get position(): number {
    return answersBefore(this.#messages, this.tail.boundary);
  }

  get ledgerKey(): string | null {
    if (this.#ledgerKey === undefined) this.#ledgerKey = this.#hash();
    return this.#ledgerKey;
  }

  #readTail(fields: Fields, messages: readonly unknown[]): Tail {
    switch (this.api) {
      case 'messages':
      case 'count-tokens':
        return this.isClaudeCode
          ? readClaudeCodeTail(messages, this.requestClass !== null)
          : readMessagesTail(messages);
      case 'chat':
        return readChatTail(messages);
      case 'responses':
      case 'embeddings':
        return readResponsesTail(fields.input);
    }
  }

  #saysSubagent(system: unknown): boolean {
    if (this.requestClass === 'subagent' || this.requestClass === 'workflow' || this.agentId !== null) return true;
    const blocks: readonly unknown[] = Array.isArray(system) ? system : [system];
    return blocks.some((block, index) => {
      const text = isFields(block) ? block.text : block;
      if (typeof text !== 'string') return false;
      return (index === 0 && text.includes(subagentBillingMark)) || text.startsWith(subagentSystemBegins);
    });
  }

  /**
   * Session, prompt id, the words, and for marked words or without a prompt id the position: the same words may be said twice in one
   * turn. Every part goes in with its length, so that no two different sets of parts read the same.
   */
  #hash(): string | null {
    if (!this.isClaudeCode || this.#said.length === 0) return null;
    const parts: string[] = [];
    const add = (part: string): void => {
      parts.push(`${part.length}:${part}`);
    };
    const placed = this.tail.marked || this.promptId === null;
    add(this.sessionKey ?? '');
    add(this.promptId ?? '');
    add(placed ? String(this.position) : '');
    for (const said of this.#said) {
      add(said.kind);
      add(said.kind === 'media' ? mediaHash(said.block) : said.text);
    }
    return createHmac('sha256', keyOf(this.#salt)).update(parts.join('')).digest('hex');
  }
}

const keys = new WeakMap<Buffer, KeyObject>();

/** Made once: a key from bytes costs more than the hash itself. */
function keyOf(salt: Buffer): KeyObject {
  let key = keys.get(salt);
  if (key === undefined) {
    key = createSecretKey(salt);
    keys.set(salt, key);
  }
  return key;
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
  if (!isFields(metadata) || typeof metadata.user_id !== 'string') return null;
  const found = sessionIdIn.exec(metadata.user_id);
  return found?.[1] ?? found?.[2] ?? null;
}

function isClientTool(tool: unknown): boolean {
  return isFields(tool) && isFields(tool.input_schema);
}

function isServerTool(tool: unknown): boolean {
  if (!isFields(tool) || tool.input_schema !== undefined) return false;
  const { type } = tool;
  return typeof type === 'string' && serverToolTypes.some((known) => type.startsWith(known));
}

/** What the body says about a side request, and whether that is enough where no class header came. */
function sideRequest(body: Fields, tools: readonly unknown[]): { kind: AuxiliaryKind; sure: boolean } | null {
  if (tools.length > 0) return tools.every(isServerTool) ? { kind: 'web search', sure: true } : null;
  if (body.max_tokens === 1) return { kind: 'model probe', sure: true };
  if (isFields(body.output_config) && isFields(body.output_config.format)) return { kind: 'title', sure: true };
  if (isAutoModeStop(body.stop_sequences)) return { kind: 'auto-mode check', sure: true };
  return body.max_tokens === autoModeSecondCheckTokens ? { kind: 'auto-mode check', sure: false } : null;
}

function isAutoModeStop(stops: unknown): boolean {
  return Array.isArray(stops) && stops.length === 1 && stops[0] === autoModeStop;
}

/** Of the content alone: cache marks come and go between two attempts. */
function mediaHash(block: Fields): string {
  const { type, source } = block;
  const hash = createHash('sha256').update(`${String(type)}:`);
  if (isFields(source)) {
    for (const part of ['type', 'media_type', 'data', 'url', 'file_id']) {
      const value = source[part];
      if (typeof value === 'string') hash.update(`${part}:${value.length}:`).update(value);
    }
    // A document may be made of blocks.
    if (source.content !== undefined) hash.update(JSON.stringify(source.content));
  }
  return hash.digest('hex');
}
