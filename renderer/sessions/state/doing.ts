import type { SessionEvent } from '../../../app/api/sessions.ts';
import { toolKindOf } from '../../../app/words/tool-kind.ts';
import { fieldsOf, isFields, textOf } from './fields.ts';
import type { StepKind } from './model.ts';

/** What a running session does now, as far as its last events tell. */
export interface Doing {
  what: 'thinking' | 'writing' | 'compacting' | 'step';
  /** Where it is a step. */
  step: { id: string; kind: StepKind; tool: string; input: Readonly<Record<string, unknown>> | null } | null;
  /** Subagents that run. */
  subagents: ReadonlySet<string>;
}

export const nothingYet: Doing = { what: 'thinking', step: null, subagents: new Set() };

/** The same object where nothing has changed. */
export function doingAfter(doing: Doing, { kind, event }: SessionEvent): Doing {
  if (kind === 'turn-started' || kind === 'turn-ended') return nothingYet;
  const update = kind === 'update' && textOf(event, 'child') === null ? fieldsOf(event, 'update') : null;
  if (update === null) return doing;
  switch (textOf(update, 'sessionUpdate')) {
    case 'agent_thought_chunk':
      return now(doing, 'thinking');
    case 'agent_message_chunk':
      return now(doing, 'writing');
    case 'compaction_update':
      return now(doing, update.status === 'in_progress' ? 'compacting' : 'thinking');
    case 'subagent_update': {
      const id = textOf(update, 'sessionId') ?? '';
      const subagents = new Set(doing.subagents);
      if (textOf(fieldsOf(update, 'state'), 'state') === 'idle') subagents.delete(id);
      else subagents.add(id);
      return { ...doing, subagents };
    }
    case 'tool_call':
    case 'tool_call_update':
      return stepAfter(doing, update);
    default:
      return doing;
  }
}

function now(doing: Doing, what: 'thinking' | 'writing' | 'compacting'): Doing {
  return doing.what === what ? doing : { ...doing, what, step: null };
}

function stepAfter(doing: Doing, update: Readonly<Record<string, unknown>>): Doing {
  const id = textOf(update, 'toolCallId') ?? '';
  const isNew = update.sessionUpdate === 'tool_call';
  const known = doing.step?.id === id ? doing.step : null;
  if (!isNew && known === null) return doing;
  if (update.status === 'completed' || update.status === 'failed') return { ...doing, what: 'thinking', step: null };
  const claude = fieldsOf(update._meta, 'claudeCode');
  const tool = textOf(claude, 'toolName') ?? textOf(update, 'name') ?? known?.tool ?? '';
  const kind = known !== null && known.tool === tool ? known.kind : toolKindOf(tool, textOf(update, 'kind'));
  const input = isFields(update.rawInput) ? update.rawInput : (known?.input ?? null);
  return { ...doing, what: 'step', step: { id, kind, tool, input } };
}
