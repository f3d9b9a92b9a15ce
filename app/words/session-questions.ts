import type { SessionQuestion } from '../api/sessions.ts';
import { oneLine } from './text.ts';
import { mcpTool, toolKindOf } from './tool-kind.ts';

/** What a session waits for, in words without a path, command or prompt, because the tray shows them too. */

/** Longest name of a tool, a server or a heading. */
const mostOfName = 40;

type AskedQuestion = Pick<SessionQuestion, 'kind' | 'child' | 'request'>;

/** Behind a session's name: `asks to run a command`, `asks a question`, `asks about its plan`. */
export function asks(question: AskedQuestion): string {
  if (question.kind === 'form') return 'asks a question';
  const wanted = purposeOf(question.request);
  return wanted === null ? 'asks about its plan' : `asks ${wanted}`;
}

/** `1 session waits for you`, `2 sessions wait for you` */
export function waitingWords(count: number): string {
  return count === 1 ? '1 session waits for you' : `${count} sessions wait for you`;
}

/** A row's second line: `Asks to run a command and 2 more`, `Asks: Menu, Browsers`, `Subagent asks to edit a file`. */
export function asksWords(questions: readonly AskedQuestion[]): string {
  const [first] = questions;
  if (first === undefined) return 'Asks a question';
  const more = questions.length === 1 ? '' : ` and ${questions.length - 1} more`;
  return `${firstWords(first)}${more}`;
}

function firstWords(question: AskedQuestion): string {
  const headings = question.kind === 'form' ? headingsOf(question.request) : [];
  if (headings.length > 0) return `${question.child === null ? 'Asks' : 'Subagent asks'}: ${headings.join(', ')}`;
  const said = asks(question);
  return question.child === null ? `A${said.slice(1)}` : `Subagent ${said}`;
}

/** Null if it asks about its plan. */
function purposeOf(request: unknown): string | null {
  const call = field(request, 'toolCall');
  const reported = field(field(field(call, '_meta'), 'claudeCode'), 'toolName') ?? field(call, 'name');
  const tool = typeof reported === 'string' ? reported : '';
  const server = mcpTool(tool);
  if (server !== null) return `to use ${oneLine(server.server, mostOfName)}`;
  const protocolKind = field(call, 'kind');
  switch (toolKindOf(tool, typeof protocolKind === 'string' ? protocolKind : null)) {
    case 'shell':
      return 'to run a command';
    case 'write':
      return 'to write a file';
    case 'edit':
    case 'notebook':
      return 'to edit a file';
    case 'read':
      return 'to read a file';
    case 'search':
      return 'to search files';
    case 'web':
      return tool === 'WebSearch' ? 'to search the web' : 'to fetch a page';
    case 'skill':
      return 'to use a skill';
    case 'subagent':
      return 'to start a subagent';
    case 'plan':
      return null;
    default:
      return tool === '' ? 'to use a tool' : `to use ${oneLine(tool, mostOfName)}`;
  }
}

/** The headings of a form's fields, without those for words of one's own. */
function headingsOf(request: unknown): string[] {
  const properties = field(field(request, 'requestedSchema'), 'properties');
  if (typeof properties !== 'object' || properties === null) return [];
  return Object.entries(properties).flatMap(([name, one]: [string, unknown]) => {
    const title = field(one, 'title');
    return typeof title === 'string' && !name.endsWith('_custom') ? [oneLine(title, mostOfName)] : [];
  });
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
