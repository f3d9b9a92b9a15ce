import { z } from 'zod';

export const startErrorCodeSchema = z.enum([
  'port-taken',
  'port-refused',
  'already-running',
  'home-unusable',
  'stopped',
]);
export type StartErrorCode = z.infer<typeof startErrorCodeSchema>;

export const proxyStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('off') }),
  z.object({ kind: z.literal('starting'), port: z.number().int() }),
  z.object({ kind: z.literal('on'), port: z.number().int(), baseUrl: z.string() }),
  /** Takes no new requests; running answers may still end. */
  z.object({ kind: z.literal('stopping'), port: z.number().int() }),
  z.object({
    kind: z.literal('failed'),
    port: z.number().int(),
    code: startErrorCodeSchema,
    reason: z.string(),
    mend: z.string(),
  }),
]);
export type ProxyState = z.infer<typeof proxyStateSchema>;

/** The proxy could not start. `message` says what and why, `mend` what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly code: StartErrorCode;
  readonly mend: string;
  constructor(code: StartErrorCode, message: string, mend: string) {
    super(message);
    this.code = code;
    this.mend = mend;
  }
}
