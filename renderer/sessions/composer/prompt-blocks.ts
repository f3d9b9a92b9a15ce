import { t } from '../../../app/language/translate.ts';
import { absolute, within } from '../paths.ts';
import { commentsText, type PlaceNow } from '../review/comment-text.ts';
import type { PromptBlock } from '../state/conversation.ts';
import { fieldsOf, textOf } from '../state/fields.ts';
import { type Attachment, type Comment, type Draft, emptyDraft, type Lines } from './draft.ts';
import { mentionsIn, pathWords } from './mentions.ts';

/** The scheme of a text that has no file: `pasted:1`. */
const pastedScheme = 'pasted:';

/**
 * A draft as blocks of ACP: its words as they are written with the comments on changes, then a link for each file that
 * the words name, then what is attached.
 * @param folder where the session runs
 * @param isThere whether a path that is written in the words is a file or folder; others stay words
 * @param placeOf where the lines of a comment are now, by its id
 */
export function promptOf(
  { text, attachments }: Pick<Draft, 'text' | 'attachments'>,
  folder: string,
  isThere: (path: string) => boolean,
  placeOf: (id: string) => PlaceNow = () => ({ state: 'unknown' }),
): PromptBlock[] {
  const written = text.trim();
  const words = [written, commentsText(attachments, folder, placeOf)].filter((part) => part !== '').join('\n\n');
  const named = mentionsIn(written).filter(({ path }) => isThere(path));
  const links = named.map(({ path, lines }) => linkTo(folder, path, lines));
  const attached = attachments
    .filter((attachment) => attachment.kind !== 'comment')
    .map((attachment, index) => attachedBlock(attachment, folder, index + 1));
  const blocks = [...(words === '' ? [] : [{ type: 'text', text: words }]), ...links, ...attached];
  const seen = new Set<string>();
  return blocks.filter(({ type, uri }: PromptBlock) => {
    if (type !== 'resource_link' || typeof uri !== 'string') return true;
    if (seen.has(uri)) return false;
    seen.add(uri);
    return true;
  });
}

function attachedBlock(attachment: Exclude<Attachment, Comment>, folder: string, number: number): PromptBlock {
  switch (attachment.kind) {
    case 'image': {
      const { mimeType, data, name } = attachment;
      return { type: 'image', mimeType, data, _meta: { jumpseat: { name } } };
    }
    case 'text': {
      const uri =
        attachment.name === null ? `${pastedScheme}${number}` : `${pastedScheme}${encodeURIComponent(attachment.name)}`;
      return { type: 'resource', resource: { uri, mimeType: 'text/plain', text: attachment.text } };
    }
    case 'path':
      return linkTo(folder, attachment.path, attachment.lines);
  }
}

function linkTo(folder: string, path: string, lines: Lines | null): PromptBlock {
  const at = lines === null ? '' : `#L${lines.from}${lines.to === lines.from ? '' : `-${lines.to}`}`;
  return { type: 'resource_link', uri: `${fileAddress(absolute(folder, path))}${at}`, name: pathWords(path, lines) };
}

/** An address of the scheme `file:`. */
function fileAddress(path: string): string {
  const address = new URL('file:');
  // A percent sign of the name is none of the address.
  address.pathname = path.replaceAll('\\', '/').replaceAll('%', '%25');
  return address.href;
}

/**
 * What was sent, or waits to be, as a draft again. A link to a file that its words name is in the words already.
 * @param newId makes the ids of attachments
 */
export function draftOf(prompt: readonly PromptBlock[], folder: string, newId: () => string): Draft {
  const text = prompt.flatMap((block) => (block.type === 'text' ? [textAt(block, 'text')] : [])).join('\n');
  const named = new Set(mentionsIn(text).map(({ path, lines }) => pathWords(path, lines)));
  const attachments = prompt.flatMap((block): Attachment[] => {
    const id = newId();
    switch (block.type) {
      case 'image':
        return [
          { kind: 'image', id, name: nameOf(block), mimeType: textAt(block, 'mimeType'), data: textAt(block, 'data') },
        ];
      case 'resource': {
        const resource = recordAt(block, 'resource');
        const address = textAt(resource, 'uri');
        const reported = address.startsWith(pastedScheme) ? decoded(address.slice(pastedScheme.length)) : address;
        return [{ kind: 'text', id, name: /^\d*$/.test(reported) ? null : reported, text: textAt(resource, 'text') }];
      }
      case 'resource_link': {
        const name = textAt(block, 'name');
        return named.has(name) ? [] : [{ kind: 'path', id, ...readAddress(textAt(block, 'uri'), folder) }];
      }
      default:
        return [];
    }
  });
  return { ...emptyDraft, text, attachments };
}

/** The same with other words. A link to a file that only the words before named goes with them. */
export function withWords(prompt: readonly PromptBlock[], text: string): PromptBlock[] {
  const before = draftOf(prompt, '', () => '').text;
  const names = (words: string) => new Set(mentionsIn(words).map(({ path, lines }) => pathWords(path, lines)));
  const [were, are] = [names(before), names(text)];
  const rest = prompt.filter((block) => {
    const name = textAt(block, 'name');
    return block.type !== 'text' && (block.type !== 'resource_link' || !were.has(name) || are.has(name));
  });
  return [...(text.trim() === '' ? [] : [{ type: 'text', text: text.trim() }]), ...rest];
}

/** What is in it stayed in the app: it is only shown here. */
export function isLeftOut(block: PromptBlock): boolean {
  return 'leftOut' in recordAt(recordAt(block, '_meta'), 'jumpseat');
}

/** A path within the folder is relative to it. */
function readAddress(address: string, folder: string): { path: string; lines: Lines | null } {
  const [, from, to] = /#L(\d+)(?:-L?(\d+))?$/.exec(address) ?? [];
  const lines = from === undefined ? null : { from: Number(from), to: Number(to ?? from) };
  const parsed = URL.parse(address);
  if (parsed?.protocol !== 'file:') return { path: address, lines };
  return { path: within(folder, decoded(parsed.pathname).replace(/^\/(?=[A-Za-z]:)/, '')), lines };
}

function nameOf(image: PromptBlock): string {
  return textAt(recordAt(recordAt(image, '_meta'), 'jumpseat'), 'name') || 'image';
}

function textAt(record: Readonly<Record<string, unknown>>, key: string): string {
  return textOf(record, key) ?? '';
}

function recordAt(record: Readonly<Record<string, unknown>>, key: string): Readonly<Record<string, unknown>> {
  return fieldsOf(record, key) ?? {};
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The words of a prompt in one line, or how much is attached where there are none. */
export function promptLine(prompt: readonly PromptBlock[]): string {
  const { text, attachments } = draftOf(prompt, '', () => '');
  const words = text.replace(/\s+/g, ' ').trim();
  if (words !== '') return words;
  return t('{count, plural, one {# attachment} other {# attachments}}', { count: attachments.length });
}
