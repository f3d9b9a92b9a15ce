import { RequestError } from '@agentclientprotocol/sdk/unstable';
import { z } from 'zod';

/** `data.exit` of an error of an agent that has a process for each session: how the one of this session ended. */
const toldExitSchema = z.object({
  code: z.number().nullable(),
  signal: z.string().nullable(),
  stderr: z.string(),
});
export type ToldExit = z.infer<typeof toldExitSchema>;

/** Tells a host that the process of one session ended by itself; params: `sessionId` and `exit`. */
export const sessionEnded = '_jumpseat/session_ended';

/** Null: it is no such exit. */
export function readExit(value: unknown): ToldExit | null {
  return toldExitSchema.safeParse(value).data ?? null;
}

/** Null: the error tells of no process that ended. */
export function exitIn(error: unknown): ToldExit | null {
  if (!(error instanceof RequestError) || typeof error.data !== 'object' || error.data === null) return null;
  return readExit(Reflect.get(error.data, 'exit'));
}
