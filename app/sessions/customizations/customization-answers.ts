import type { AnswersTo } from '../../api/app.ts';
import type { customizationCalls } from '../../api/calls/customizations.ts';
import type { SessionStore } from '../store/session-store.ts';
import { knownPlugins, offer } from './found.ts';
import type { SessionCustomizations } from './session-customizations.ts';

interface CustomizationDependencies {
  store: SessionStore;
  /** `~/.claude` */
  claudeFolder: string;
  session(id: string): Promise<{ customizations: SessionCustomizations }>;
  /** Those that are held may have another list now. */
  changed(): void;
}

/** Answers fronts' calls about what a person adds for sessions and folders. Creates nothing before the first call. */
export function customizationAnswers(
  given: () => Promise<CustomizationDependencies>,
): AnswersTo<typeof customizationCalls> {
  const of = async (id: string): Promise<SessionCustomizations> => (await (await given()).session(id)).customizations;
  const changed = async (): Promise<void> => (await given()).changed();
  return {
    customizations: async (id) => (await of(id)).all(),
    knownPlugins: async () => knownPlugins((await given()).claudeFolder),
    pluginOffer: async (added) => offer(added, await given()),
    addCustomization: async ({ session, scope, added, trust }) => {
      await (await of(session)).add(scope, added, trust);
      await changed();
    },
    removeCustomization: async ({ session, customization }) => {
      const isRemoved = (await of(session)).remove(customization);
      await changed();
      return isRemoved;
    },
    switchCustomization: async ({ session, customization, on }) => {
      (await of(session)).switch(customization, on);
      await changed();
    },
  };
}
