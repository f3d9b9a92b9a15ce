import type { SideQuestion } from '../../../app/api/sessions.ts';

/** A side question and its answer as quoted text, for a message. */
export function quoted({ question, answer }: Pick<SideQuestion, 'question' | 'answer'>): string {
  const lines = [...question.split('\n'), ...(answer === null ? [] : ['', ...answer.trim().split('\n')])];
  return `${lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n')}\n\n`;
}
