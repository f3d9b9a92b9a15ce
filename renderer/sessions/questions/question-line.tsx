import type { ReactNode } from 'react';
import {
  Agent,
  Checklist,
  Commands,
  File,
  FileAdded,
  Globe,
  Mcp,
  Pencil,
  Question,
  Search,
  Terminal,
  Tools,
} from '../../parts/icons.tsx';
import { CutPath, ShownText } from '../text/shown-text.tsx';
import type { PermissionSubject } from './asked.ts';
import { shownPath } from './path-words.ts';
import type { ReadQuestion } from './question-words.ts';

/** A question that waits behind another one: its kind, its object and who asks. */
export function QuestionLine(props: { asked: ReadQuestion; cwd: string; asker: string | null; show: () => void }) {
  const { asked, cwd, asker, show } = props;
  const {
    icon,
    verb,
    object,
    isPath = false,
  } = asked.kind === 'form' ? formLine(asked) : permissionLine(asked.asked.subject, cwd);
  return (
    <button type="button" onClick={show}>
      {icon}
      {verb}
      <span className="mono" title={object}>
        {isPath ? <CutPath path={object} /> : <ShownText text={object} />}
      </span>
      {asker !== null && <span className="muted">from {asker}</span>}
    </button>
  );
}

interface Line {
  icon: ReactNode;
  verb: string;
  object: string;
  isPath?: boolean;
}

function formLine({ form }: Extract<ReadQuestion, { kind: 'form' }>): Line {
  const icon = <Question size={14} />;
  if (form.kind === 'questions') {
    return { icon, verb: 'Question', object: form.questions.map(({ heading }) => heading).join(', ') };
  }
  return { icon, verb: form.kind === 'form' ? 'Form' : 'Address', object: form.message };
}

function permissionLine(subject: PermissionSubject, cwd: string): Line {
  switch (subject.kind) {
    case 'command':
      return { icon: <Terminal size={14} />, verb: 'Run', object: subject.command };
    case 'edit':
      return { icon: <Pencil size={14} />, verb: 'Edit', object: shownPath(subject.path, cwd), isPath: true };
    case 'write':
      return { icon: <FileAdded size={14} />, verb: 'Write', object: shownPath(subject.path, cwd), isPath: true };
    case 'page':
      return { icon: <Globe size={14} />, verb: 'Fetch', object: subject.address };
    case 'search-web':
      return { icon: <Search size={14} />, verb: 'Search', object: subject.query };
    case 'read':
      return { icon: <File size={14} />, verb: 'Read', object: shownPath(subject.path, cwd), isPath: true };
    case 'mcp':
      return { icon: <Mcp size={14} />, verb: subject.server, object: subject.tool };
    case 'subagent':
      return { icon: <Agent size={14} />, verb: 'Subagent', object: subject.type ?? subject.task };
    case 'skill':
      return { icon: <Commands size={14} />, verb: 'Use', object: subject.name };
    case 'plan':
      return { icon: <Checklist size={14} />, verb: 'Plan', object: titleOfPlan(subject.plan) };
    case 'other':
      return { icon: <Tools size={14} />, verb: 'Use', object: subject.tool };
  }
}

/** Its first line, without the marks of a heading. */
function titleOfPlan(plan: string): string {
  const first = plan.split('\n').find((line) => line.trim() !== '') ?? '';
  return first.replace(/^#+\s*/, '');
}
