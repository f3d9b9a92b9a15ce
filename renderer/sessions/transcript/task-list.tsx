import { Check, Circle, Ring } from '../../parts/icons.tsx';
import type { Task } from '../state/conversation.ts';

const names = { pending: 'to do', running: 'in work', done: 'done' } as const;
const icons = { pending: Circle, running: Ring, done: Check } as const;

export function TaskList({ tasks }: { tasks: readonly Task[] }) {
  return (
    <ul className="tasks">
      {tasks.map(({ text, state }, index) => {
        const Icon = icons[state];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a list of tasks that has ended.
          <li key={index} className={state === 'running' ? 'now' : state}>
            <Icon size={14} />
            <span>
              {text}
              <span className="sr">, {names[state]}</span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
