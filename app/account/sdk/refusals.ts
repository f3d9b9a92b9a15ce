import { asNumber, asObject } from '../json.ts';
import { RuntimeFault } from './failure.ts';

/** The runtime answered a call with an error. `message` is its own text and stays in here: it is free text. */
export class RefusedCall extends Error {
  override readonly name = 'RefusedCall';
  readonly method: string;
  readonly code: number | null;
  readonly data: unknown;
  constructor(method: string, code: number | null, message: string, data: unknown) {
    super(message);
    this.method = method;
    this.code = code;
    this.data = data;
  }
}

const noSuchMethod = -32601;
const internalError = -32603;

/**
 * What an error of the runtime's means. It has one code for nearly all of them, so its texts are read, as 1.0.85 writes
 * them: `Failed to fetch Copilot user info: 401 Unauthorized: …`, `Failed to validate SDK token (401): …`.
 */
export function faultOf({ method, code, message, data }: RefusedCall): RuntimeFault {
  if (code === noSuchMethod) return new RuntimeFault('too-old');
  if (message.includes('COPILOT_ALLOW_GET_PROVIDER_ENDPOINT')) return new RuntimeFault('not-allowed');
  if (message.includes('Provider endpoint URL is not configured')) return new RuntimeFault('no-address');
  if (/not authenticated|Failed to obtain an API key/iu.test(message)) return new RuntimeFault('not-signed-in');
  if (/error sending request|network fetch failed/u.test(message)) return new RuntimeFault('offline');
  const fromCopilot = asNumber(asObject(data)?.status);
  if (fromCopilot !== null) return new RuntimeFault('models-refused', '', fromCopilot);
  const status = statusIn(message);
  if (status !== null) return new RuntimeFault(kindOfStatus(status), '', status);
  return new RuntimeFault('unreadable', `${method} failed with the code ${code ?? internalError}`);
}

/** Of what GitHub said about the account. */
export function statusIn(message: string): number | null {
  const found = /user info: (\d{3})\b|\((\d{3})\)/u.exec(message);
  const digits = found?.[1] ?? found?.[2];
  return digits === undefined ? null : Number(digits);
}

export function kindOfStatus(status: number): 'token-refused' | 'no-copilot' | 'github-failed' {
  if (status === 401) return 'token-refused';
  return status === 403 || status === 404 ? 'no-copilot' : 'github-failed';
}
