/** Words of Claude’s with code, a table and a link. */
export const longAnswer = [
  'The retry loop lives in `deliver.ts`. It waits **twice as long** each time:',
  '',
  '```ts',
  'const pauseMs = 250 * 2 ** attempt;',
  'await wait(Math.min(pauseMs, 30_000));',
  '```',
  '',
  '| try | pause |',
  '| --- | ----- |',
  '| 1 | 250 ms |',
  '| 2 | 500 ms |',
  '',
  '- [The docs](https://docs.example.com/retry) say the same.',
].join('\n');
