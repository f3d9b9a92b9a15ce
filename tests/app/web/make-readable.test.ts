import { expect, it } from 'vitest';
import { makeReadable } from '../../../app/web/make-readable.ts';

const address = 'https://page.example/';

it('a page that keeps the parser busy holds up no other, and ends with its signal', async () => {
  const over = new AbortController();
  // Measured: 40 s, at the end of which there is no stack left.
  const busy = makeReadable('<div>'.repeat(20_000), address, over.signal);
  const ended = expect(busy).rejects.toThrow('enough');
  // It is done on another thread, so this one answers meanwhile.
  expect(await makeReadable('<p>quick', address, new AbortController().signal)).toEqual({
    title: null,
    markdown: 'quick',
  });
  over.abort(new Error('enough'));
  await ended;
});

it('nothing of a page is run, and what it hides in comments and scripts is not read', async () => {
  const page = '<script>globalThis.ran = true</script><!-- hidden --><style>p{}</style><p onclick="x()">seen</p>';
  expect(await makeReadable(page, address, new AbortController().signal)).toEqual({ title: null, markdown: 'seen' });
  expect(globalThis).not.toHaveProperty('ran');
});
