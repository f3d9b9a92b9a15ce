import { PermissionTitle } from './permission-title.tsx';
import type { Asked } from './question-words.ts';

/** What is asked, in one line. */
export function QuestionTitle({ asked, cwd }: { asked: Asked; cwd: string }) {
  if (asked.kind === 'permission') return <PermissionTitle asked={asked.asked} cwd={cwd} />;
  const { form } = asked;
  if (form.kind === 'questions') {
    return form.questions.length === 1 ? 'Claude has a question' : `Claude has ${form.questions.length} questions`;
  }
  return form.kind === 'address' ? 'Open this address?' : 'A server asks';
}
