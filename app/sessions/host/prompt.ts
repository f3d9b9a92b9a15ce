import type { z } from 'zod';
import { promptBlocksSchema } from '../../api/sessions.ts';

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
  const words = textOf(prompt).replace(/\s+/g, ' ').trim();
  if (words === '') return null;
  const characters = [...words];
  return characters.length <= titleLength
    ? words
    : `${characters
        .slice(0, titleLength - 1)
        .join('')
        .trimEnd()}…`;
}
