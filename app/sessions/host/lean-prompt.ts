import { z } from 'zod';
import type { QueuedMessage } from '../../api/sessions.ts';
import type { Prompt } from './prompt.ts';

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
  const told: { jumpseat?: object } = typeof meta === 'object' && meta !== null ? meta : {};
  return { ...told, jumpseat: { ...told.jumpseat, leftOut } };
}

/** The same with what was left out, from the prompt that it was made of. A block that is not there goes. */
export function wholePrompt(prompt: Prompt, from: Prompt): Block[] {
  return prompt.flatMap((block) => {
    const told = leftOutSchema.safeParse(block._meta).data;
    if (told === undefined) return [block];
    const whole = from[told.jumpseat.leftOut];
    return whole?.type === block.type ? [whole] : [];
  });
}
