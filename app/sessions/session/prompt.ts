import { z } from 'zod';
import { promptBlocksSchema, type QueuedMessage } from '../../api/sessions.ts';
import { wordsForTitle } from '../../words/sessions.ts';

/** What a person sends: text, images, files and lines of files, as blocks of ACP. */
export type Prompt = Readonly<z.infer<typeof promptBlocksSchema>>;

/** A session without a name is called by the beginning of its first prompt. */
const titleLength = 60;

/** A prompt as it was kept; empty where it can't be read. */
export function readPrompt(kept: unknown): Prompt {
  return promptBlocksSchema.safeParse(kept).data ?? [];
}

/** The text of a prompt without its attachments. */
export function textOf(prompt: Prompt): string {
  return prompt.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : [])).join('\n');
}

export function titleOf(prompt: Prompt): string | null {
  const words = wordsForTitle(textOf(prompt)).replace(/\s+/g, ' ').trim();
  if (words === '') return null;
  const characters = [...words];
  return characters.length <= titleLength
    ? words
    : `${characters
        .slice(0, titleLength - 1)
        .join('')
        .trimEnd()}…`;
}

type Block = Prompt[number];

/** Longer contents of an image or a pasted text are left out where a prompt is only shown, in characters. */
const longest = 1_024;

const leftOutSchema = z.object({ jumpseat: z.looseObject({ leftOut: z.number().int().min(0) }) });

/** A message that waits, to show. */
export function leanMessage(message: QueuedMessage): QueuedMessage {
  return { ...message, prompt: leanPrompt(message.prompt) };
}

/**
 * A prompt to show: what is long in it is empty, and says in `_meta.jumpseat.leftOut` which of its blocks that was. A
 * session is told at every change of it, which must not carry the same images each time.
 */
function leanPrompt(prompt: Prompt): Block[] {
  return prompt.map((block, index) => {
    if (block.type === 'image' && typeof block.data === 'string' && block.data.length > longest) {
      return { ...block, data: '', _meta: noted(block, index) };
    }
    const { resource } = block;
    if (typeof resource !== 'object' || resource === null || !('text' in resource)) return block;
    if (typeof resource.text !== 'string' || resource.text.length <= longest) return block;
    return { ...block, resource: { ...resource, text: '' }, _meta: noted(block, index) };
  });
}

function noted({ _meta: meta }: Block, leftOut: number): Record<string, unknown> {
  const reported: { jumpseat?: object } = typeof meta === 'object' && meta !== null ? meta : {};
  return { ...reported, jumpseat: { ...reported.jumpseat, leftOut } };
}

/** The same with what was left out, from the prompt that it was made of. A block that is not there goes. */
export function wholePrompt(prompt: Prompt, from: Prompt): Block[] {
  return prompt.flatMap((block) => {
    const reported = leftOutSchema.safeParse(block._meta).data;
    if (reported === undefined) return [block];
    const whole = from[reported.jumpseat.leftOut];
    return whole?.type === block.type ? [whole] : [];
  });
}
