import { describe, expect, it } from 'vitest';
import type { PathInSession } from '../../app/api/session-surroundings.ts';
import { type AnswerDependencies, frontAnswers } from '../../main/window-answers.ts';

/** What is shown of a session by the tray app, and how. */
function showing(found: PathInSession) {
  const shown: string[] = [];
  const asked: unknown[] = [];
  const answers = frontAnswers({
    app: {
      pathInSession: async (...given: unknown[]) => {
        asked.push(given);
        return found;
      },
    },
    desktop: {
      platform: 'linux',
      openPath: async (path: string) => {
        shown.push(`open ${path}`);
        return '';
      },
      revealPath: (path: string) => void shown.push(`reveal ${path}`),
    },
  } as unknown as AnswerDependencies);
  return { answers, shown, asked };
}

describe('a file of a session', () => {
  it('is opened, and what the system might run is only shown in its folder', async () => {
    const plain = showing({ path: '/p/a.md', isFolder: false, isExecutable: false });
    await plain.answers.showInSession({ session: 's', path: 'a.md' });
    expect([plain.asked, plain.shown]).toEqual([[['s', 'a.md']], ['open /p/a.md']]);
    const program = showing({ path: '/p/deploy', isFolder: false, isExecutable: true });
    await program.answers.showInSession({ session: 's', path: 'deploy' });
    expect(program.shown).toEqual(['reveal /p/deploy']);
  });

  it('is the folder itself where none is named', async () => {
    const folder = showing({ path: '/p', isFolder: true, isExecutable: false });
    await folder.answers.showInSession({ session: 's', path: null });
    expect([folder.asked, folder.shown]).toEqual([[['s', '.']], ['open /p']]);
  });
});
