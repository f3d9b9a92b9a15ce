import { posix } from 'node:path';

/** The pages of the site, from the documents of the repository. */

/** Links and pictures; what is in a fenced block is none. */
const links = /(\]\()([^)\s]+)(\))/g;
const isAddress = (target) => /^[a-z][a-z\d+.-]*:/i.test(target) || target.startsWith('#');
const outsideFences = (text, change) =>
  text
    .split(/(^(?:```|~~~)[\s\S]*?^(?:```|~~~).*$)/m)
    .map((part, index) => (index % 2 === 1 ? part : change(part)))
    .join('');

/** An index of a folder is its `index.md` on the site. @param {string} path */
export const sitePath = (path) => path.replace(/(^|\/)README\.md$/, '$1index.md');

/**
 * Every page that can be reached from the first ones, and what they link to beside pages.
 * @param {string[]} first paths from the project's root
 * @param {(path: string) => string} read
 */
export function collected(first, read) {
  const pages = new Map();
  const files = new Set();
  const waiting = [...first];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue;
    const text = outsideFences(read(path), (part) =>
      part.replace(links, (whole, before, target, after) => {
        if (isAddress(target)) return whole;
        const [name, anchor] = target.split('#');
        const named = posix.join(posix.dirname(path), decodeURIComponent(name));
        if (named.endsWith('.md')) {
          waiting.push(named);
          return `${before}${sitePath(name)}${anchor === undefined ? '' : `#${anchor}`}${after}`;
        }
        files.add(named);
        return named.endsWith('.png') ? whole : `${before}/${named}${/\.\w+$/.test(named) ? '' : '.txt'}${after}`;
      }),
    );
    pages.set(path, text);
  }
  return { pages, files };
}

/**
 * The chapters of the index: `## Chapter`, then `- [Page](path.md): what it is`.
 * @param {string} index the text of docs/README.md
 * @returns {{ title: string, pages: { title: string, path: string, about: string }[] }[]} paths from the root
 */
export function chaptersOf(index) {
  return index
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      title: part.slice(0, part.indexOf('\n')),
      pages: [...part.matchAll(/^- \[([^\]]+)\]\(([^)#]+)\): (.+)$/gm)].map(([, title, target, about]) => ({
        title,
        path: posix.join('docs', target),
        about,
      })),
    }));
}

/** @param {ReturnType<typeof chaptersOf>} chapters */
export const sidebarOf = (chapters) =>
  chapters.map(({ title, pages }) => ({
    text: title,
    items: pages.map((page) => ({ text: page.title, link: `/${sitePath(page.path).replace(/\.md$/, '')}` })),
  }));

/** The file that llmstxt.org describes. @param {ReturnType<typeof chaptersOf>} chapters */
export function llmsText(chapters, { title, description }) {
  const lists = chapters.map((chapter) =>
    [
      `## ${chapter.title}`,
      '',
      ...chapter.pages.map((page) => `- [${page.title}](/${sitePath(page.path)}): ${page.about}`),
    ].join('\n'),
  );
  return `${[`# ${title}`, `> ${description}`, ...lists].join('\n\n')}\n`;
}
