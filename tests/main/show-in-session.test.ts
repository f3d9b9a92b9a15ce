import { expect, it } from 'vitest';
import type { PathInSession } from '../../app/api/session-surroundings.ts';
import type { FileOpener } from '../../app/api/settings.ts';
import { type PreferenceFacts, preferencesOf } from '../../app/settings/preferences.ts';
import { settingsSchema } from '../../app/settings/schema.ts';
import { showInSession } from '../../main/show-in-session.ts';

const facts: PreferenceFacts = {
  ...{ port: 4180, portFixed: false, githubHost: 'github.com', githubFixedBy: null },
  ...{ ownShell: 'bash', storageIsFree: true },
};

async function shown(
  found: Partial<PathInSession>,
  { opener = 'system', allow = false, line }: { opener?: FileOpener; allow?: boolean; line?: number } = {},
) {
  const done: string[] = [];
  const path = { path: '/p/a.py', isOutside: false, isFolder: false, isExecutable: false, ...found };
  const settings = settingsSchema.parse({ sessions: { openFilesWith: opener } });
  await showInSession(
    { session: 's', path: 'a.py', line },
    {
      app: { pathInSession: async () => path, preferences: () => preferencesOf(settings, facts) },
      openers: { open: async (...given) => void done.push(given.filter((one) => one !== undefined).join(' ')) },
      platform: 'linux',
      ask: async ({ text }) => {
        done.push(`asked ${text.split('\n')[0]}`);
        return allow;
      },
      revealPath: (file) => void done.push(`revealed ${file}`),
      openPath: async (file) => {
        done.push(`opened ${file}`);
        return '';
      },
    },
  );
  return done;
}

it('opens a file with the system, and only shows what the system might run', async () => {
  expect(await shown({ path: '/p/a.md' })).toEqual(['opened /p/a.md']);
  expect(await shown({ path: '/p/a.py' })).toEqual(['revealed /p/a.py']);
});

it('opens every file with the editor that the person chose, and no folder', async () => {
  expect(await shown({ path: '/p/a.py' }, { opener: 'zed' })).toEqual(['zed /p/a.py']);
  expect(await shown({ isExecutable: true }, { opener: 'zed' })).toEqual(['zed /p/a.py']);
  expect(await shown({ path: '/p', isFolder: true }, { opener: 'zed' })).toEqual(['opened /p']);
});

it('opens a file at the line that was named, where an editor does', async () => {
  expect(await shown({ path: '/p/a.md' }, { opener: 'zed', line: 12 })).toEqual(['zed /p/a.md 12']);
  expect(await shown({ path: '/p/a.md' }, { line: 12 })).toEqual(['opened /p/a.md']);
});

it('asks before it shows what lies outside of the session’s folder', async () => {
  for (const opener of ['system', 'zed'] as const) {
    expect(await shown({ path: '/etc/x.md', isOutside: true }, { opener })).toEqual(['asked /etc/x.md']);
  }
  const allowed = await shown({ path: '/etc/x.md', isOutside: true }, { opener: 'zed', allow: true });
  expect(allowed).toEqual(['asked /etc/x.md', 'zed /etc/x.md']);
});
