import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compactId, plainId } from '../../../app/history/packing.ts';

it('a UUID is 23 characters in a row, ours among them; what is none stays as it is', () => {
  expect(compactId('7f3a91c2-5be0-4c11-9d2f-61e0c7a4b8f3')).toBe('~fzqRwlvgTBGdL2Hgx6S48w');
  expect(compactId('req_7f3a91c2-5be0-4c11-9d2f-61e0c7a4b8f3')).toBe('=fzqRwlvgTBGdL2Hgx6S48w');
  for (const id of ['session-a', '7F3A91C2-5BE0-4C11-9D2F-61E0C7A4B8F3', '']) expect(compactId(id)).toBe(id);
});

it('every id comes back, and no two are kept alike', () => {
  const uuid = fc.uuid();
  const id = fc.oneof(
    uuid,
    uuid.map((one) => `req_${one}`),
    uuid.map(compactId),
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[~=!]{1,2}[\w-]{0,23}$/),
  );
  fc.assert(
    fc.property(id, (one) => {
      expect(plainId(compactId(one))).toBe(one);
    }),
  );
});
