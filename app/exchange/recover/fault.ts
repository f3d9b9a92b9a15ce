/**
 * What the log may say of a fault of ours: its kind and where it happened. Not its message: the engine puts pieces of
 * what it was working on into some of them (`Unexpected token 'm', "my words…" is not valid JSON`).
 */
export function faultFacts(fault: unknown): { error: string; at: string[] } {
  if (!(fault instanceof Error)) return { error: typeof fault, at: [] };
  const { message, stack = '' } = fault;
  const begins = stack.indexOf(message);
  const lines = begins < 0 ? [] : stack.slice(begins + message.length).split('\n');
  return { error: fault.name, at: lines.filter((line) => /^\s+at /.test(line)).map((line) => line.trim()) };
}
