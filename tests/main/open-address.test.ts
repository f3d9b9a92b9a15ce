import { expect, it } from 'vitest';
import { openAddress } from '../../main/open-address.ts';

it('opens exactly what was confirmed, and nothing that is not an address of the web or of mail', async () => {
  const opened: string[] = [];
  const open = async (address: string): Promise<void> => void opened.push(address);
  await openAddress('https://example.com/a?b=c', open);
  await expect(openAddress('file:///etc/passwd', open)).rejects.toMatchObject({
    message: 'This address isn’t one that is opened from here.',
    mend: 'Copy it, and open it yourself if you trust it.',
  });
  expect(opened).toEqual(['https://example.com/a?b=c']);
});

it('says without the address that the system could not', async () => {
  const opening = openAddress('mailto:a@example.com', () => Promise.reject(new Error('mailto:a@example.com failed')));
  await expect(opening).rejects.toThrow(/^The system has no program that opens this address\.$/);
});
