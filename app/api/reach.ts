import { z } from 'zod';
import { sentenceSchema } from './call.ts';

/** How Copilot is reached: by Jumpseat itself, or by its extension in VS Code. Changed by a person alone. */
export const reachSchema = z.enum(['directly', 'through-vscode']);
export type Reach = z.infer<typeof reachSchema>;

/**
 * What is known of the window of VS Code whose extension serves. `absent`: none does. `unsafe`: what says where it
 * listens can't be trusted, for the reason in `why`. `no-copilot`, `no-consent`: it serves and can't use Copilot.
 */
const windowStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unknown') }),
  z.object({ kind: z.literal('absent') }),
  z.object({ kind: z.literal('unsafe'), why: sentenceSchema }),
  z.object({ kind: z.enum(['serving', 'no-copilot', 'no-consent']), port: z.number().int(), version: z.string() }),
]);
export type WindowState = z.infer<typeof windowStateSchema>;

/** `window`: only where requests go through it. */
export const reachStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('directly') }),
  z.object({ kind: z.literal('through-vscode'), window: windowStateSchema }),
]);
export type ReachState = z.infer<typeof reachStateSchema>;
