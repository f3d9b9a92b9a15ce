import { describe, expect, it } from 'vitest';
import { copySecret } from '../../main/copy-secret.ts';

type Entries = Record<string, string | Blob>;

class Item {
  readonly entries: Entries;
  constructor(entries: Entries) {
    this.entries = entries;
  }
}

/** What lies on a clipboard afterwards, bytes as numbers. */
async function copied(platform: NodeJS.Platform, options: { items?: boolean; refusing?: boolean } = {}) {
  const lying: Record<string, unknown> = {};
  const clipboard = {
    writeText: (text: string) => {
      lying['text/plain'] = text;
    },
    write: async (items: Item[]) => {
      if (options.refusing === true) throw new Error('no such format');
      for (const { entries } of items)
        for (const [format, value] of Object.entries(entries))
          lying[format] = typeof value === 'string' ? value : [...(await value.bytes())];
    },
  };
  await copySecret('secret', options.items === false ? { clipboard } : { clipboard, ClipboardItem: Item }, platform);
  return lying;
}
const raw = (name: string) => `electron application/osclipboard;format="${name}"`;

describe('a secret on the clipboard', () => {
  it('is marked for the histories and managers of each system', async () => {
    expect([await copied('darwin'), await copied('win32'), await copied('linux')]).toEqual([
      { 'text/plain': 'secret', [raw('org.nspasteboard.ConcealedType')]: [1] },
      {
        'text/plain': 'secret',
        [raw('ExcludeClipboardContentFromMonitorProcessing')]: [1],
        [raw('CanIncludeInClipboardHistory')]: [0, 0, 0, 0],
        [raw('CanUploadToCloudClipboard')]: [0, 0, 0, 0],
      },
      { 'text/plain': 'secret', [raw('x-kde-passwordManagerHint')]: [...Buffer.from('secret')] },
    ]);
  });

  it('is copied all the same where marks are not known or refused', async () => {
    expect([await copied('win32', { items: false }), await copied('darwin', { refusing: true })]).toEqual([
      { 'text/plain': 'secret' },
      { 'text/plain': 'secret' },
    ]);
  });
});
