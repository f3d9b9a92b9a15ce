/** A session as Claude Code writes it, of about so many bytes: a prompt, answers of 8 kB, a last prompt. */
export function transcriptOf(nth: number, bytes: number): { name: string; text: string } {
  const sessionId = `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`;
  const at = new Date(1_790_000_000_000 + nth * 60_000).toISOString();
  const shared = { isSidechain: false, userType: 'external', cwd: '/home/me/project', sessionId, version: '2.1.328' };
  const line = (type: string, uuid: string, message: object): string =>
    `${JSON.stringify({ parentUuid: null, ...shared, type, message, uuid, timestamp: at })}\n`;
  const answer = line('assistant', 'a', {
    id: 'm',
    role: 'assistant',
    content: [{ type: 'text', text: 'word '.repeat(1_600) }],
  });
  const head = line('user', 'u', { role: 'user', content: `prompt ${nth}` });
  const tail = line('user', 'v', { role: 'user', content: `last prompt ${nth}` });
  return { name: `${sessionId}.jsonl`, text: head + answer.repeat(Math.ceil(bytes / answer.length)) + tail };
}
