import { readFileSync } from 'node:fs';
import { anchorOf } from './documents.mjs';

/** VitePress’ settings; `site.json` and `documents.mjs` are put beside this file. */
const { title, description, sidebar } = JSON.parse(readFileSync(new URL('site.json', import.meta.url), 'utf8'));

export default {
  title,
  description,
  lang: 'en',
  cleanUrls: false,
  lastUpdated: false,
  themeConfig: {
    nav: [
      { text: 'Documentation', link: '/docs/' },
      { text: 'Troubleshooting', link: '/docs/troubleshooting/' },
    ],
    sidebar,
    outline: { level: [2, 3] },
    search: { provider: 'local' },
  },
  markdown: {
    html: false,
    // Headings have the same anchors here and at GitHub.
    anchor: { slugify: anchorOf },
  },
};
