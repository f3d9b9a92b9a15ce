import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { saltedHash } from '../../../../app/exchange/initiator/prompt-keys.ts';

it('is HMAC-SHA256, so that what an earlier version wrote is known again', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.string({ unit: 'binary' }), (bytes, text) => {
      const salt = Buffer.from(bytes);
      const expected = createHmac('sha256', salt).update(text).digest('hex');
      expect([saltedHash(salt, text), saltedHash(salt, text)]).toEqual([expected, expected]);
    }),
  );
});

it('takes no salt of which it would have to make a hash first', () => {
  expect(() => saltedHash(Buffer.alloc(65), 'words')).toThrow(RangeError);
});
