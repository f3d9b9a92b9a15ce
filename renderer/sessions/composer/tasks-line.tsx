import { useState } from 'react';
import { IconButton } from '../../parts/button.tsx';
import { ChevronDown, ChevronUp, Circle, Passed, Ring, Tasklist } from '../../parts/icons.tsx';
import type { Task } from '../state/conversation.ts';

/** How far the agent is with its list of tasks, and which is in work; opened: the list. */
export function TasksLine({ tasks }: { tasks: readonly Task[] }) {
  const [isOpen, setOpen] = useState(false);
  const done = tasks.filter(({ state }) => state === 'done').length;
  const now = tasks.find(({ state }) => state === 'running');
  const head = (
    <>
      <Tasklist size={14} />
      <span>Tasks</span>
      <span className="tabular">
        {done} of {tasks.length}
      </span>
      <span className="line-words muted">{!isOpen && now?.text}</span>
      <IconButton
        label={isOpen ? 'Hide tasks' : 'Show tasks'}
        aria-expanded={isOpen}
        icon={isOpen ? <ChevronDown size={16} /> : <ChevronUp size={16} />}
        onClick={() => setOpen(!isOpen)}
      />
    </>
  );
  if (!isOpen) {
    return (
      <div className="strip" data-testid="tasks">
        {head}
      </div>
    );
  }
  return (
    <div className="strip open" data-testid="tasks">
      <div className="strip-head">{head}</div>
      <ul className="tasks">
        {tasks.map(({ text, state }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a list of tasks is told anew as a whole.
          <li key={index} className={state}>
            {state === 'done' && <Passed size={14} aria-label="Done" />}
            {state === 'running' && <Ring size={10} />}
            {state === 'pending' && <Circle size={14} aria-label="Open" />}
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Once a turn has ended with all of them done, the list says nothing any more. */
export function areShown(tasks: readonly Task[] | null, isAtRest: boolean): tasks is readonly Task[] {
  if (tasks === null || tasks.length === 0) return false;
  return !isAtRest || tasks.some(({ state }) => state !== 'done');
}
