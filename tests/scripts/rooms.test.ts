import { describe, expect, it } from 'vitest';
import { script } from './script.ts';

const { crowded, disagreements, roomsOnMap } = await script<{
  roomsOnMap: (text: string) => string[];
  crowded: (files: string[]) => string[];
  disagreements: (onMap: string[], inTree: string[]) => string[];
}>('rooms');

const page = `# Architecture

\`\`\`
other/   not the map
\`\`\`

## The rooms

\`\`\`
app/          the product
  server/       the door
  words/        texts
main/         the tray
\`\`\`
`;

describe('the map of the rooms', () => {
  it('is the block below its heading, with folders inside of folders', () => {
    expect(roomsOnMap(page)).toEqual(['app', 'app/server', 'app/words', 'main']);
  });

  it('disagrees about a folder that it lacks and one that is gone', () => {
    expect(disagreements(['app', 'app/words'], ['app', 'app/search'])).toEqual([
      'app/search/ is not on the map.',
      'app/words/ is on the map and no folder.',
    ]);
  });

  it('agrees with the same folders', () => {
    expect(disagreements(['app', 'main'], ['main', 'app'])).toEqual([]);
  });
});

it('a room with more than 26 sources is named, and its folders count for themselves', () => {
  const files = Array.from({ length: 26 }, (_, at) => `app/words/file-${at}.ts`);
  const beside = ['app/words/inside/one.ts', 'app/words/picture.svg', 'tests/app/words/one.test.ts'];
  expect(crowded([...files, ...beside])).toEqual([]);
  expect(crowded([...files, ...beside, 'app/words/more.tsx'])).toEqual([
    'app/words/ has 27 sources; more than 26 are two subjects.',
  ]);
});
