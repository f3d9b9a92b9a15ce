import type { SessionEvent } from '../../../app/api/sessions.ts';
import { toolKindOf } from '../../../app/words/agents.ts';
import type { StepKind } from './conversation.ts';
import { fieldsOf, isFields, textOf } from './fields.ts';

/** A running session's current activity, from its last events. */
export interface Activity {
  what: 'thinking' | 'writing' | 'compacting' | 'step';
  /** Where it is a step. */
  step: { id: string; kind: StepKind; tool: string; input: Readonly<Record<string, unknown>> | null } | null;
  /** Subagents that run. */
  subagents: ReadonlySet<string>;
}

export const nothingYet: Activity = { what: 'thinking', step: null, subagents: new Set() };

/** The same object where nothing has changed. */
export function activityAfter(activity: Activity, { kind, event }: SessionEvent): Activity {
  if (kind === 'turn-started' || kind === 'turn-ended') return nothingYet;
  const update = kind === 'update' && textOf(event, 'child') === null ? fieldsOf(event, 'update') : null;
  if (update === null) return activity;
  switch (textOf(update, 'sessionUpdate')) {
    case 'agent_thought_chunk':
      return now(activity, 'thinking');
    case 'agent_message_chunk':
      return now(activity, 'writing');
    case 'compaction_update':
      return now(activity, update.status === 'in_progress' ? 'compacting' : 'thinking');
    case 'subagent_update': {
      const id = textOf(update, 'sessionId') ?? '';
      const subagents = new Set(activity.subagents);
      if (textOf(fieldsOf(update, 'state'), 'state') === 'idle') subagents.delete(id);
      else subagents.add(id);
      return { ...activity, subagents };
    }
    case 'tool_call':
    case 'tool_call_update':
      return stepAfter(activity, update);
    default:
      return activity;
  }
}

function now(activity: Activity, what: 'thinking' | 'writing' | 'compacting'): Activity {
  return activity.what === what ? activity : { ...activity, what, step: null };
}

function stepAfter(activity: Activity, update: Readonly<Record<string, unknown>>): Activity {
  const id = textOf(update, 'toolCallId') ?? '';
  const isNew = update.sessionUpdate === 'tool_call';
  const known = activity.step?.id === id ? activity.step : null;
  if (!isNew && known === null) return activity;
  if (update.status === 'completed' || update.status === 'failed') return { ...activity, what: 'thinking', step: null };
  const claude = fieldsOf(update._meta, 'claudeCode');
  const tool = textOf(claude, 'toolName') ?? textOf(update, 'name') ?? known?.tool ?? '';
  const kind = known !== null && known.tool === tool ? known.kind : toolKindOf(tool, textOf(update, 'kind'));
  const input = isFields(update.rawInput) ? update.rawInput : (known?.input ?? null);
  return { ...activity, what: 'step', step: { id, kind, tool, input } };
}
