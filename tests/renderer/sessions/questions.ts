import type { SessionQuestion } from '../../../app/api/sessions.ts';

interface Call {
  name?: string;
  kind?: string;
  title?: string;
  rawInput?: Record<string, unknown>;
  content?: unknown[];
  _meta?: Record<string, unknown>;
}

/** A tool call as a permission request holds it. */
export function toolCall(call: Call) {
  return { toolCallId: 'toolu_1', status: 'pending' as const, title: call.name ?? 'a tool', ...call } as {
    toolCallId: string;
    title: string;
  };
}

const options = [
  { optionId: 'allow-once', name: 'Yes', kind: 'allow_once' },
  { optionId: 'reject', name: 'No', kind: 'reject_once' },
];

export function permissionQuestion(call: Call, more: Partial<SessionQuestion> = {}): SessionQuestion {
  return question({ kind: 'permission', request: { toolCall: toolCall(call), options }, ...more });
}

export function formQuestion(request: unknown, more: Partial<SessionQuestion> = {}): SessionQuestion {
  return question({ kind: 'form', request, ...more });
}

function question(more: Pick<SessionQuestion, 'kind' | 'request'> & Partial<SessionQuestion>): SessionQuestion {
  return { id: 'q1', sessionId: 's1', turnId: 't1', child: null, askedAt: Date.UTC(2026, 10, 22, 10, 41, 54), ...more };
}
