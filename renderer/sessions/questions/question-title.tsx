import { useAgentWords } from '../state/hooks.ts';
import { ShownText } from '../text/shown-text.tsx';
import { PermissionTitle } from './permission-title.tsx';
import type { ReadQuestion } from './question-words.ts';

/** What is asked, in one line. */
export function QuestionTitle({ asked, cwd }: { asked: ReadQuestion; cwd: string }) {
  const agent = useAgentWords();
  if (asked.kind === 'permission') return <PermissionTitle asked={asked.asked} cwd={cwd} />;
  const { form } = asked;

  if (form.kind === 'questions') {
    return form.questions.length === 1
      ? `${agent.name} has a question`
      : `${agent.name} has ${form.questions.length} questions`;
  }
  if (form.kind === 'address') return 'Open this address?';
  if (form.server === null) return 'A server asks';
  return (
    <>
      <span className="mono">
        <ShownText text={form.server} />
      </span>{' '}
      asks
    </>
  );
}
