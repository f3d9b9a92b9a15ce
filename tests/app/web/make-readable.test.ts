import { expect, it } from 'vitest';
import { launchChild } from '../../../app/processes/launch.ts';
import { makeReadable } from '../../../app/web/make-readable.ts';
import { readable } from '../../../app/web/readable.ts';

const read = (page: string, signal = new AbortController().signal) =>
  makeReadable(page, 'https://page.example/', signal, launchChild);

it('a page that keeps the parser busy holds up no other, and ends with its signal', async () => {
  const over = new AbortController();
  // Measured: 40 s, at the end of which there is no stack left.
  const busy = read('<div>'.repeat(20_000), over.signal);
  const ended = expect(busy).rejects.toThrow('enough');
  // It is done in another process, so this one answers meanwhile.
  expect(await read('<p>quick')).toEqual({ title: null, markdown: 'quick' });
  over.abort(new Error('enough'));
  await ended;
});

it('nothing of a page is run, and what it hides in comments and scripts is not read', async () => {
  const page = '<script>globalThis.ran = true</script><!-- hidden --><style>p{}</style><p onclick="x()">seen</p>';
  expect(await read(page)).toEqual({ title: null, markdown: 'seen' });
  expect(globalThis).not.toHaveProperty('ran');
});

it('a page that takes all memory ends nothing but its own process', async () => {
  // V8 ended the whole process at it, whatever bound the thread had.
  const attributes = Array.from({ length: 560_000 }, (_, number) => `a${number}`).join(' ');
  expect(await read(`<p ${attributes}>y</p>`)).toBeNull();
}, 240_000);

it.each(['<p>y</p>', '<a href="/x">y</a>', '<B>y'])('a page full of %s is refused before it is parsed', (piece) => {
  expect(() => readable(piece.repeat(100_001), 'https://page.example/')).toThrow('too many elements');
});

it('a long page of ordinary text is read whole', async () => {
  const page = await read(
    `<title>Long</title>${'<p>Some words of a long page, one after the other.</p>'.repeat(20_000)}`,
  );
  expect(page?.markdown.length).toBeGreaterThan(900_000);
});
