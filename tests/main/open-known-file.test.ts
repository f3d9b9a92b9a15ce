import { expect, it } from 'vitest';
import { openKnownFile } from '../../main/open-known-file.ts';

it('a file is handed to the system; what it can’t show is said with a way out', async () => {
  const opened: string[] = [];
  await openKnownFile('/home/me/.bashrc', async (path) => {
    opened.push(path);
    return '';
  });
  expect(opened).toEqual(['/home/me/.bashrc']);
  await expect(openKnownFile('/home/me/.bashrc', async () => 'No program is set for it')).rejects.toMatchObject({
    message: '/home/me/.bashrc couldn’t be opened: No program is set for it.',
    mend: 'Open it with an editor.',
  });
  await expect(openKnownFile(null, async () => '')).rejects.toMatchObject({
    message: 'There is nothing to show any more.',
    mend: 'Check again.',
  });
});
