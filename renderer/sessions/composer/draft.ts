import { isFields } from '../state/fields.ts';

/** Lines of a file, from 1, both of them included. */
export interface Lines {
  from: number;
  to: number;
}

/** A line of a difference. Numbers are null on the side that lacks it. */
export interface CommentedLine {
  look: 'added' | 'removed' | 'same';
  before: number | null;
  after: number | null;
  text: string;
}

/** What a person says about lines of a difference. The lines stay as they were when it was begun. */
export interface Comment {
  kind: 'comment';
  id: string;
  /** Absolute. */
  path: string;
  /** Which changes were looked at: of a turn by its id, of the whole session, or against the branch. */
  scope: { of: 'turn'; turn: string } | { of: 'session' } | { of: 'branch' };
  lines: readonly CommentedLine[];
  /** Texts of the lines before and after them; null where none was shown. */
  around: readonly [string | null, string | null];
  text: string;
}

export type Attachment =
  | Comment
  /** `data` is base64. */
  | { kind: 'image'; id: string; name: string; mimeType: string; data: string }
  /** Text that was too long for the field. `name` is its file's; null if it was pasted. */
  | { kind: 'text'; id: string; name: string | null; text: string }
  /** `path` is relative to the session's folder, or absolute. */
  | { kind: 'path'; id: string; path: string; lines: Lines | null };

/** For a session that is not begun: what it is to run with. Null for the agent's own choice. */
type DraftChoices = Partial<Record<'model' | 'effort' | 'mode', string | null>>;

/** What a person has not sent yet. */
export interface Draft {
  text: string;
  attachments: readonly Attachment[];
  choices: DraftChoices;
  /** Id of a message that may have been sent: the same words keep it, so that they are sent once. */
  messageId: string | null;
}

export const emptyDraft: Draft = { text: '', attachments: [], choices: {}, messageId: null };

/** Reads a stored draft and leaves out what can't be read. */
export function readDraft(kept: unknown): Draft {
  const { text, attachments, choices, messageId } = fields(kept);
  const { model, effort, mode } = fields(choices);
  return {
    text: words(text) ?? '',
    attachments: Array.isArray(attachments) ? attachments.flatMap(readAttachment) : [],
    choices: {
      ...(isChoice(model) && { model }),
      ...(isChoice(effort) && { effort }),
      ...(isChoice(mode) && { mode }),
    },
    messageId: words(messageId),
  };
}

function readAttachment(kept: unknown): Attachment[] {
  const { kind, id, name, mimeType, data, text, path, lines } = fields(kept);
  const { from, to } = fields(lines);
  if (typeof id !== 'string') return [];
  if (kind === 'comment') return readComment(id, fields(kept));
  if (kind === 'image' && typeof mimeType === 'string' && typeof data === 'string') {
    return [{ kind, id, name: words(name) ?? 'image', mimeType, data }];
  }
  if (kind === 'text' && typeof text === 'string') return [{ kind, id, name: words(name), text }];
  if (kind !== 'path' || typeof path !== 'string') return [];
  return [{ kind, id, path, lines: typeof from === 'number' && typeof to === 'number' ? { from, to } : null }];
}

function readComment(id: string, { path, scope, lines, around, text }: Readonly<Record<string, unknown>>): Comment[] {
  if (typeof path !== 'string' || typeof text !== 'string' || !Array.isArray(lines)) return [];
  const { of, turn } = fields(scope);
  const [before, after] = Array.isArray(around) ? around : [];
  return [
    {
      ...{ kind: 'comment', id, path, text, lines: lines.flatMap(readLine) },
      scope: of === 'turn' && typeof turn === 'string' ? { of, turn } : { of: of === 'branch' ? of : 'session' },
      around: [words(before), words(after)],
    },
  ];
}

function readLine(kept: unknown): CommentedLine[] {
  const { look, before, after, text } = fields(kept);
  if ((look !== 'added' && look !== 'removed' && look !== 'same') || typeof text !== 'string') return [];
  const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);
  return [{ look, before: number(before), after: number(after), text }];
}

function isChoice(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

function words(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return isFields(value) ? value : {};
}

/** There is nothing to send. A comment that was only begun is nothing. */
export function isBlank({ text, attachments }: Pick<Draft, 'text' | 'attachments'>): boolean {
  return text.trim() === '' && attachments.every((one) => one.kind === 'comment' && one.text.trim() === '');
}

/** There is nothing to keep. */
export function isNothing({ text, attachments, choices }: Draft): boolean {
  return text === '' && attachments.length === 0 && Object.keys(choices).length === 0;
}

/** Where the draft of a session, or of a new one in a folder, is kept. */
export const sessionKey = (id: string): string => id;
export const folderKey = (folder: string): string => `folder:${folder}`;

/** A message that could not be sent comes back before what was written meanwhile. */
export function putBack(returned: Draft, now: Draft): Draft {
  if (isBlank(now)) return { ...now, ...returned, choices: now.choices };
  const attachments = [...returned.attachments, ...now.attachments];
  const text = [returned.text, now.text].filter((part) => part !== '').join('\n\n');
  return { text, attachments, choices: now.choices, messageId: null };
}

/** The same words with the same things attached, whatever ids they were given here. */
export function isSameMessage(one: Pick<Draft, 'text' | 'attachments'>, other: typeof one): boolean {
  const said = ({ text, attachments }: typeof one) =>
    JSON.stringify([text, attachments.map((attachment) => Object.entries({ ...attachment, id: '' }).toSorted())]);
  return said(one) === said(other);
}
