import { describe, expect, it } from 'vitest';
import { script } from './script.ts';

interface Chapter {
  title: string;
  pages: { title: string; path: string; about: string }[];
}
const { chaptersOf, collected, llmsText, sidebarOf } = await script<{
  chaptersOf: (index: string) => Chapter[];
  collected: (first: string[], read: (path: string) => string) => { pages: Map<string, string>; files: Set<string> };
  llmsText: (chapters: Chapter[], site: { title: string; description: string }) => string;
  sidebarOf: (chapters: Chapter[]) => unknown;
}>('../docs/site-pages');

const texts: Record<string, string> = {
  'docs/README.md':
    '[a](start/a.md#part) [root](../README.md) [out](https://example.com/x.md)\n```\n[code](gone.md)\n```\n',
  'docs/start/a.md': '![p](../p.png) [index](../README.md) [l](../../LICENSE) [s](../s.json) [here](#part)',
  'README.md': '[docs](docs/README.md)',
};

describe('the pages of the site', () => {
  it('are those that can be reached, with links between them as the site has them', () => {
    const { pages, files } = collected(['docs/README.md'], (path) => texts[path] ?? '');
    expect(Object.fromEntries(pages)).toEqual({
      'docs/README.md':
        '[a](start/a.md#part) [root](../index.md) [out](https://example.com/x.md)\n```\n[code](gone.md)\n```\n',
      'README.md': '[docs](docs/index.md)',
      'docs/start/a.md': '![p](../p.png) [index](../index.md) [l](/LICENSE.txt) [s](/docs/s.json) [here](#part)',
    });
    expect([...files].sort()).toEqual(['LICENSE', 'docs/p.png', 'docs/s.json']);
  });

  it('stand in the side bar and in llms.txt in the order of the index', () => {
    const chapters = chaptersOf('# All\n\n## Start\n\n- [A](start/a.md): the first\n- [Up](../README.md): all of it\n');
    expect(sidebarOf(chapters)).toEqual([
      {
        text: 'Start',
        items: [
          { text: 'A', link: '/docs/start/a' },
          { text: 'Up', link: '/index' },
        ],
      },
    ]);
    expect(llmsText(chapters, { title: 'It', description: 'What it is.' })).toBe(
      '# It\n\n> What it is.\n\n## Start\n\n- [A](/docs/start/a.md): the first\n- [Up](/index.md): all of it\n',
    );
  });
});
