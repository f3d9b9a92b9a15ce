import type { AnswersTo } from '../api/app.ts';
import type { clientCalls } from '../api/calls/setup.ts';
import type { ClientSetups, ClientSetupsDependencies } from './client-setups.ts';

/** What edits TOML and YAML is loaded where a program is set up, not at each start. */
export function clientAnswers({
  changed,
  ...given
}: ClientSetupsDependencies & { changed(): void }): AnswersTo<typeof clientCalls> {
  let made: Promise<ClientSetups> | null = null;
  const setups = (): Promise<ClientSetups> => {
    made ??= import('./client-setups.ts').then((loaded) => new loaded.ClientSetups(given));
    return made;
  };
  return {
    clients: async () => (await setups()).list(),
    clientVersions: async () => (await import('./installed.ts')).installedVersions(given.machine),
    planClient: async (name, use, action) => (await setups()).plan(name, use, action),
    applyClient: async (id) => {
      try {
        return await (await setups()).apply(id);
      } finally {
        changed();
      }
    },
  };
}
