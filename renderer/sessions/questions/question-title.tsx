import type { AskedFile } from '../../../app/api/session-surroundings.ts';
import { shownPath } from '../paths.ts';
import { useAgentWords } from '../state/hooks.ts';
import { ShownText } from '../text/shown-text.tsx';
import type { AskedPermission, PermissionSubject } from './asked.ts';
import { useAskedFile } from './asked-files.ts';
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

/** `Run this command?`, `Edit src/deliver.ts?` */
function PermissionTitle({ asked: { subject }, cwd }: { asked: AskedPermission; cwd: string }) {
  const file = useAskedFile(subject.kind === 'write' ? subject.path : null);
  const [verb, object, rest] = titleOf(subject, file?.state ?? null);
  if (object === null) return verb;
  const shown = 'path' in subject ? shownPath(object, cwd) : object;
  return (
    <>
      {verb}{' '}
      <span className="mono" title={object}>
        <ShownText text={shown} />
      </span>
      {rest}?
    </>
  );
}

function titleOf(
  subject: PermissionSubject,
  state: AskedFile['state'] | null,
): [verb: string, object: string | null, rest?: string] {
  switch (subject.kind) {
    case 'command':
      return [subject.isInBackground ? 'Start this command in the background?' : 'Run this command?', null];
    case 'edit':
      return ['Edit', subject.path];
    case 'write':
      if (state === null) return ['Write', subject.path];
      return [state === 'missing' ? 'Create' : 'Replace', subject.path];
    case 'page':
      return ['Fetch this page?', null];
    case 'search-web':
      return ['Search the web for this?', null];
    case 'read':
      return ['Read', subject.path];
    case 'mcp':
      return ['Use', subject.tool, ` of ${subject.server}`];
    case 'subagent':
      return subject.type === null ? ['Start a subagent?', null] : ['Start subagent', subject.type];
    case 'skill':
      return ['Use the skill', subject.name];
    case 'plan':
      return ['Go ahead with this plan?', null];
    case 'other':
      return ['Use', subject.tool];
  }
}
