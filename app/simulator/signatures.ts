import { createHash } from 'node:crypto';

const mark = Buffer.from('simulated-thinking:');

/** The signature under a simulated thought: opaque to clients, known again here. */
export function sign(model: string, thought: string): string {
  const digest = createHash('sha512').update(`${model}\n${thought}`).digest();
  return Buffer.concat([mark, digest]).toString('base64');
}

export function isOurs(signature: string): boolean {
  return Buffer.from(signature, 'base64').subarray(0, mark.length).equals(mark);
}

const reasoningMark = 'simulated-reasoning:';

/** `encrypted_content` of a reasoning item: only the model that wrote it takes it back. */
export function encrypt(model: string, thought: string): string {
  const digest = createHash('sha512').update(thought).digest('base64');
  return Buffer.from(`${reasoningMark}${model}:${digest}`).toString('base64');
}

export function isEncryptedBy(model: string, encrypted: string): boolean {
  return Buffer.from(encrypted, 'base64').toString('latin1').startsWith(`${reasoningMark}${model}:`);
}
