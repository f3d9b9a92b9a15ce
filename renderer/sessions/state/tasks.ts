import type { Step, Task } from './conversation.ts';
import type { Editing } from './editing.ts';
import { type Fields, fieldsOf, isFields, listOf, textOf } from './fields.ts';

const states: Readonly<Record<string, Task['state']>> = {
  pending: 'pending',
  in_progress: 'running',
  completed: 'done',
};

/** The list of the conversation, and what it was in the turn that said it last. */
export function setTasks(editing: Editing, turn: number, tasks: readonly Task[] | null): void {
  editing.set({ tasks });
  editing.setTurn(turn, { tasks });
}

/** The entries of a `plan` of ACP. */
export function tasksOfPlan(update: Fields): readonly Task[] | null {
  return tasksOf(listOf(update, 'entries'), 'content');
}

/**
 * The list of tasks after a call of a tool that keeps one, as a transcript has it: live, the same comes as a `plan`.
 * @returns null if it has none any more
 */
export function tasksAfter(tasks: readonly NamedTask[] | null, step: Step): readonly NamedTask[] | null {
  const { tool, input, response } = step;
  if (tool === 'TodoWrite') return tasksOf(listOf(input, 'todos'), 'content');
  if (tool === 'TaskCreate') {
    const name = textOf(fieldsOf(response, 'task'), 'id');
    const text = textOf(input, 'subject');
    if (name === null || text === null) return tasks;
    return [...(tasks ?? []).filter((task) => task.name !== name), { name, text, state: 'pending' }];
  }
  if (tool !== 'TaskUpdate') return tasks;
  const name = textOf(input, 'taskId');
  const status = textOf(input, 'status');
  const left = status === 'deleted' ? (tasks ?? []).filter((task) => task.name !== name) : (tasks ?? []);
  const changed = left.map((task) =>
    task.name === name
      ? { ...task, text: textOf(input, 'subject') ?? task.text, state: states[status ?? ''] ?? task.state }
      : task,
  );
  return changed.length === 0 ? null : changed;
}

/** A task with its agent's own name of it. */
export type NamedTask = Task & { readonly name?: string };

function tasksOf(entries: readonly unknown[], name: string): readonly Task[] | null {
  const tasks = entries.filter(isFields).flatMap((entry) => {
    const text = textOf(entry, name);
    return text === null ? [] : [{ text, state: states[textOf(entry, 'status') ?? ''] ?? 'pending' }];
  });
  return tasks.length === 0 ? null : tasks;
}
