import { expect, it } from 'vitest';
import type { Session } from '../../../app/api/sessions.ts';
import { cutWords } from '../../../app/words/quit.ts';
import { workIn } from '../../../renderer/state/questions.ts';
import { appState } from '../../main/app-state.ts';
import { session as made } from '../../main/watched-sessions.ts';

const session = (id: string, state: Session['state']) => [id, made(id, { state })] as const;
const at = (running: number, ...sessions: ReturnType<typeof session>[]) => {
  const app = appState();
  const work = workIn({ app: { ...app, health: { ...app.health, running } }, sessions: new Map(sessions) });
  return cutWords(work, 'off');
};

it('the window asks about sessions at work, and about requests where there are none', () => {
  expect(at(3, session('a', 'running'), session('b', 'idle'), session('c', 'waiting'))).toEqual({
    title: '1 session is working, 1 waits for you',
    text:
      'Turning the proxy off stops Claude Code in the middle of their turns. You can go on later. ' +
      'A session that waits is done only after your answer.',
    later: 'Turn off when they’re done',
    now: 'Turn off now',
    ...{ cancel: 'Cancel', onEscape: 'cancel' },
  });
  expect(at(1, session('b', 'idle'))?.title).toBe('1 request is running');
  expect(at(0, session('b', 'idle'))).toBeNull();
});
