import { AsyncLocalStorage } from 'node:async_hooks';
import type { PermissionOption, RequestPermissionRequest } from '@agentclientprotocol/sdk/unstable';
import { isObject } from '../../../../formats/wire/json.ts';
import type { FormFacts, PermissionFacts, PermissionWords } from '../../agent-extras.ts';
import type { Adapter, PermissionResult, SessionParams, ToolQuestion } from './adapter.ts';

/**
 * What Claude Code's own terminal tells the model about a refusal, with what the person said behind it. In these very
 * words, because the proxy tells a person's words by them.
 */
const refusalBegins =
  "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n";

/**
 * Lets an answer to a permission request carry words and a changed input, of which the model is told. The request tells
 * which rules would allow the like and what a server says of its tool.
 */
export function bringPermissionWords(adapter: Adapter): void {
  const reported = new Map<string, PermissionFacts>();
  const changed = new ChangedInputs();
  changed.tellIn(adapter);
  const said = new Map<string, PermissionWords>();

  const canUseTool = adapter.canUseTool.bind(adapter);
  adapter.canUseTool = (sessionId) => {
    const ask = canUseTool(sessionId);
    return async (name, input, question) => {
      const id = question.toolUseID;
      try {
        reported.set(id, { rules: rulesOf(question), ...(await toolWords(adapter, sessionId, name)) });
        const result = await ask(name, input, question);
        const words = said.get(id);
        if (words?.words !== undefined && result.behavior === 'deny') {
          const session = adapter.sessions[sessionId];
          // The turn goes on with the words: it isn't interrupted.
          if (session) session.pendingExitPlanModeInterruption = undefined;
        }
        if (result.behavior === 'allow' && words?.input !== undefined) changed.add(name, id, words.input);
        // Claude Code may read a refusal before it is interrupted, and would ask for one more answer.
        if (result.behavior === 'deny' && words?.isStop === true && question.agentID === undefined)
          return { ...result, interrupt: true };
        return withWords(result, words);
      } finally {
        reported.delete(id);
        said.delete(id);
      }
    };
  };

  const request = adapter.requestPermissionFromClient.bind(adapter);
  adapter.requestPermissionFromClient = async (params, ...more) => {
    const id = params.toolCall.toolCallId;
    offerAcceptEdits(params.options);
    const answer = await request(withFacts(params, reported.get(id)), ...more);
    const words = readWords(answer._meta);
    if (words !== null) said.set(id, words);
    return answer;
  };
}

/**
 * Where the model can be in auto mode, the adapter offers no plan's approval into the mode in which edits are accepted.
 * It reads the answer by this same list, and the mode is then Claude Code's own doing: a mode that is set beside the
 * answer is overwritten by the answer.
 */
function offerAcceptEdits(options: PermissionOption[]): void {
  const manual = options.findIndex(({ optionId }) => optionId === 'exit-plan-default');
  if (manual < 0 || options.some(({ optionId }) => optionId === 'exit-plan-accept-edits')) return;
  const name = 'Yes, auto-accept edits';
  options.splice(manual, 0, { optionId: 'exit-plan-accept-edits', name, kind: 'allow_always' });
}

function withWords(result: PermissionResult, words: PermissionWords | undefined): PermissionResult {
  if (result.behavior === 'deny' && words?.words !== undefined) {
    const { interrupt: _, ...rest } = result;
    return { ...rest, message: `${refusalBegins}${words.words}` };
  }
  if (result.behavior === 'allow' && words?.input !== undefined) return { ...result, updatedInput: words.input };
  return result;
}

/** `Bash(npm view *)`: as settings.json has them. Only what a question offers to allow by rule. */
function rulesOf({ suggestions }: ToolQuestion): string[] {
  return (suggestions ?? [])
    .filter(({ type, behavior }) => type === 'addRules' && behavior === 'allow')
    .flatMap(({ rules }) => rules ?? [])
    .map(({ toolName, ruleContent }) => (ruleContent ? `${toolName}(${ruleContent})` : toolName));
}

function withFacts(request: RequestPermissionRequest, reported: PermissionFacts | undefined): RequestPermissionRequest {
  const { rules = [], ...words } = reported ?? {};
  const jumpseat = { ...(rules.length > 0 && { rules }), ...words };
  return Object.keys(jumpseat).length === 0 ? request : { ...request, _meta: { ...request._meta, jumpseat } };
}

function readWords(meta: Record<string, unknown> | null | undefined): PermissionWords | null {
  const given = meta?.jumpseat;
  if (typeof given !== 'object' || given === null) return null;
  const words: PermissionWords = {};
  if ('words' in given && typeof given.words === 'string' && given.words !== '') words.words = given.words;
  if ('input' in given && isObject(given.input)) words.input = given.input;
  if ('isStop' in given && given.isStop === true) words.isStop = true;
  return words;
}

/** Claude Code itself reports that a plan was edited. */
const reportedAnyway: ReadonlySet<string> = new Set(['ExitPlanMode']);

interface ToolEnd {
  hook_event_name: string;
  tool_use_id?: string;
}

/**
 * A person may change what a tool gets, which the model doesn't learn from Claude Code: its call stands in the
 * conversation as the model made it. So the tool's result says that it was changed, and to what.
 */
class ChangedInputs {
  readonly #changed = new Map<string, Record<string, unknown>>();

  add(name: string, toolUseId: string, input: Record<string, unknown>): void {
    if (!reportedAnyway.has(name)) this.#changed.set(toolUseId, input);
  }

  /** For all sessions of the adapter; a later wrapper of `createSession` is called first. */
  tellIn(adapter: Adapter): void {
    const create = adapter.createSession.bind(adapter);
    adapter.createSession = (params, options) => create(this.#withHooks(params), options);
  }

  #withHooks(params: SessionParams): SessionParams {
    const { _meta: meta } = params;
    const options = meta?.claudeCode?.options;
    const hook = { hooks: [(end: ToolEnd) => Promise.resolve(this.#reported(end))] };
    const { PostToolUse: others = [] } = Object(options?.hooks);
    const hooks = { ...Object(options?.hooks), PostToolUse: [...others, hook], PostToolUseFailure: [hook] };
    return { ...params, _meta: { ...meta, claudeCode: { ...meta?.claudeCode, options: { ...options, hooks } } } };
  }

  #reported({ hook_event_name: hookEventName, tool_use_id: id = '' }: ToolEnd): object {
    const input = this.#changed.get(id);
    if (input === undefined) return {};
    this.#changed.delete(id);
    const additionalContext = `The user changed it. This was run instead of what you asked for: ${JSON.stringify(input)}`;
    return { hookSpecificOutput: { hookEventName, additionalContext } };
  }
}

/** A question doesn't wait longer for it, in ms. */
const waitsMs = 1_000;

type ToolWords = Pick<PermissionFacts, 'says' | 'hints'>;

/**
 * What an MCP server says of one of its tools, by the name that Claude Code gives it. Claude Code 2.1.328 tells the
 * hints alone; its SDK has a place for the description.
 */
async function toolWords(adapter: Adapter, sessionId: string, name: string): Promise<ToolWords> {
  const query = adapter.sessions[sessionId]?.query;
  if (query === undefined || !name.startsWith('mcp__')) return {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, waitsMs, null);
  });
  try {
    const servers = await Promise.race([query.mcpServerStatus(), late]);
    for (const server of servers ?? []) {
      const tool = server.tools?.find((one) => name === `mcp__${plain(server.name)}__${plain(one.name)}`);
      if (tool === undefined) continue;
      const { description: says, annotations: hints = {} } = tool;
      return { ...(says !== undefined && says !== '' && { says }), ...(Object.keys(hints).length > 0 && { hints }) };
    }
    return {};
  } catch {
    // The question is asked all the same.
    return {};
  } finally {
    clearTimeout(timer);
  }
}

function plain(name: string): string {
  return name.replaceAll(/[^\w-]/g, '_');
}

/** Tells with a form which server it is of: the adapter leaves that out. */
export function bringServerNames(adapter: Adapter): void {
  const asking = new AsyncLocalStorage<string>();

  const handle = adapter.handleMcpElicitation.bind(adapter);
  adapter.handleMcpElicitation = (...given) => {
    const answer = handle(...given);
    return (request, options) => asking.run(request.serverName, () => answer(request, options));
  };

  const elicit = adapter.elicitFromClient.bind(adapter);
  adapter.elicitFromClient = (request, signal) => {
    const server = asking.getStore();
    if (server === undefined) return elicit(request, signal);
    return elicit({ ...request, _meta: { ...request._meta, jumpseat: { server } satisfies FormFacts } }, signal);
  };
}
