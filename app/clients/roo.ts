import { readdirSync } from 'node:fs';
import { type Message, msg } from '../language/messages.ts';
import { firstChoice, labelledKey, openaiBaseUrl } from './client-model.ts';
import { inFolder, inHome, type Machine, vscodeUser } from './machine.ts';
import type { ClientFile } from './program.ts';

/*
 * Roo Code keeps its profiles in VS Code's encrypted storage. At each start of VS Code it imports the file that a
 * setting names (RooCodeInc/Roo-Code, src/utils/autoImportSettings.ts): the file's profiles are added to its own and
 * `currentApiConfigName` becomes the one in use (src/core/config/importExport.ts). Nothing imports a removal, so undo
 * can't take the profile out of Roo. Read in its source, and not tried.
 */

const file = (machine: Machine): string => inHome(machine, '.roo', 'jumpseat.json');
const profile = 'Jumpseat';

const imported: ClientFile = {
  path: file,
  format: 'json',
  isOwnFile: true,
  entries: ({ door, models }) => [
    { at: ['providerProfiles', 'currentApiConfigName'], value: profile },
    {
      at: ['providerProfiles', 'apiConfigs', profile],
      value: {
        ...{ apiProvider: 'openai', openAiBaseUrl: openaiBaseUrl(door), openAiApiKey: labelledKey(door) },
        openAiModelId: firstChoice(models).id,
      },
    },
    { at: ['globalSettings'], value: {} },
  ],
};

const setting: ClientFile = {
  path: (machine) => inFolder(machine, vscodeUser(machine), 'settings.json'),
  format: 'json',
  entries: ({ machine }) => [{ at: ['roo-cline.autoImportSettingsPath'], value: file(machine), leads: 'name' }],
};

/** VS Code's folder of extensions has it. */
export function hasRoo(machine: Machine): boolean {
  try {
    const names = readdirSync(inHome(machine, '.vscode', 'extensions'));
    return names.some((name) => name.toLowerCase().startsWith('rooveterinaryinc.roo-cline-'));
  } catch {
    return false;
  }
}

export const rooModels = {
  files: [imported, setting],
  next: msg(
    'Start VS Code again. Roo Code then imports the profile Jumpseat and uses it, at each start. It copies it into its own storage, where undo can’t reach: delete the profile there yourself after an undo.',
  ),
  afterUndo: msg(
    'Roo Code keeps the profile Jumpseat, with your local key, in its own storage. Choose another profile in Roo Code’s settings (Providers), and delete this one.',
  ),
} satisfies { files: readonly [ClientFile, ...ClientFile[]]; next: Message; afterUndo: Message };
