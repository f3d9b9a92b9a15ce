import type { Adapter, SessionParams } from './adapter.ts';

/** Claude Code tells by itself that a plan was edited. */
const toldAnyway: ReadonlySet<string> = new Set(['ExitPlanMode']);

interface ToolEnd {
  hook_event_name: string;
  tool_use_id?: string;
}

/**
 * A person may change what a tool gets, which the model doesn't learn from Claude Code: its call stands in the
 * conversation as the model made it. So the tool's result says that it was changed, and to what.
 */
export class ChangedInputs {
  readonly #changed = new Map<string, Record<string, unknown>>();

  add(name: string, toolUseId: string, input: Record<string, unknown>): void {
    if (!toldAnyway.has(name)) this.#changed.set(toolUseId, input);
  }

  /** For all sessions of the adapter; a later wrapper of `createSession` is called first. */
  tellIn(adapter: Adapter): void {
    const create = adapter.createSession.bind(adapter);
    adapter.createSession = (params, options) => create(this.#withHooks(params), options);
  }

  #withHooks(params: SessionParams): SessionParams {
    const { _meta: meta } = params;
    const options = meta?.claudeCode?.options;
    const hook = { hooks: [(end: ToolEnd) => Promise.resolve(this.#told(end))] };
    const { PostToolUse: others = [] } = Object(options?.hooks);
    const hooks = { ...Object(options?.hooks), PostToolUse: [...others, hook], PostToolUseFailure: [hook] };
    return { ...params, _meta: { ...meta, claudeCode: { ...meta?.claudeCode, options: { ...options, hooks } } } };
  }

  #told({ hook_event_name: hookEventName, tool_use_id: id = '' }: ToolEnd): object {
    const input = this.#changed.get(id);
    if (input === undefined) return {};
    this.#changed.delete(id);
    const additionalContext = `The user changed it. This was run instead of what you asked for: ${JSON.stringify(input)}`;
    return { hookSpecificOutput: { hookEventName, additionalContext } };
  }
}
