import { t } from '../../../app/language/translate.ts';
import { rich } from '../../parts/rich.tsx';
import { shownPath } from '../paths.ts';
import { useAgentWords } from '../state/hooks.ts';
import { ShownText } from '../text/shown-text.tsx';
import type { AskedPermission } from './asked.ts';
import { useAskedFile } from './asked-files.ts';
import type { ReadQuestion } from './question-words.ts';

/** What is asked, in one line. */
export function QuestionTitle({ asked, cwd }: { asked: ReadQuestion; cwd: string }) {
  const agent = useAgentWords();
  if (asked.kind === 'permission') return <PermissionTitle asked={asked.asked} cwd={cwd} />;
  const { form } = asked;

  if (form.kind === 'questions') {
    return form.questions.length === 1
      ? t('{agent} has a question', { agent: agent.name })
      : t('{agent} has {count} questions', { agent: agent.name, count: form.questions.length });
  }
  if (form.kind === 'address') return t('Open this address?');
  if (form.server === null) return t('A server asks');
  return rich('{server} asks', {
    server: (
      <span className="mono">
        <ShownText text={form.server} />
      </span>
    ),
  });
}

/** `Run this command?`, `Edit src/deliver.ts?` */
function PermissionTitle({ asked: { subject }, cwd }: { asked: AskedPermission; cwd: string }) {
  const state = useAskedFile(subject.kind === 'write' ? subject.path : null)?.state ?? null;
  switch (subject.kind) {
    case 'command':
      return subject.isInBackground ? t('Start this command in the background?') : t('Run this command?');
    case 'edit':
      return rich('Edit {path}?', { path: <Name of={subject.path} cwd={cwd} /> });
    case 'write': {
      const path = <Name of={subject.path} cwd={cwd} />;
      if (state === null) return rich('Write {path}?', { path });
      return state === 'missing' ? rich('Create {path}?', { path }) : rich('Replace {path}?', { path });
    }
    case 'page':
      return t('Fetch this page?');
    case 'search-web':
      return t('Search the web for this?');
    case 'read':
      return rich('Read {path}?', { path: <Name of={subject.path} cwd={cwd} /> });
    case 'mcp':
      return rich('Use {tool} of {server}?', { tool: <Name of={subject.tool} />, server: subject.server });
    case 'subagent':
      if (subject.type === null) return t('Start a subagent?');
      return rich('Start subagent {name}?', { name: <Name of={subject.type} /> });
    case 'skill':
      return rich('Use the skill {name}?', { name: <Name of={subject.name} /> });
    case 'plan':
      return t('Go ahead with this plan?');
    case 'other':
      return rich('Use {tool}?', { tool: <Name of={subject.tool} /> });
  }
}

/** `cwd`: of a path, which is shown relative to it. */
function Name({ of, cwd }: { of: string; cwd?: string }) {
  return (
    <span className="mono" title={of}>
      <ShownText text={cwd === undefined ? of : shownPath(of, cwd)} />
    </span>
  );
}
