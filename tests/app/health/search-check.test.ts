import { expect, it } from 'vitest';
import type { SearchReport } from '../../../app/api/search.ts';
import { searchFinding } from '../../../app/health/search-check.ts';

const report: SearchReport = {
  engines: ['copilot', 'github'],
  enginesFixedBy: null,
  keys: { brave: 'none', tavily: 'none', exa: 'none', serpapi: 'none', anthropic: 'none' },
  models: ['gpt-5-mini'],
  reach: 'directly',
  searxng: 'none',
};

it.each<[string, Partial<SearchReport>, string, string]>([
  ['usual', {}, 'passed', 'Copilot, then GitHub'],
  ['off', { engines: [] }, 'skipped', 'Off: nobody searches the web for clients'],
  ['no model', { models: [] }, 'warning', 'Copilot has no model that can search.'],
  [
    'through VS Code',
    { reach: 'through-vscode', models: [] },
    'warning',
    'Copilot can’t search while requests go through VS Code. GitHub can’t search while requests go through VS Code.',
  ],
  ['through VS Code with another engine', { reach: 'through-vscode', engines: ['duckduckgo'] }, 'passed', 'DuckDuckGo'],
  ['catalog not known', { models: null }, 'passed', 'Copilot, then GitHub'],
  ['no key', { engines: ['brave'] }, 'warning', 'Brave has no key.'],
  ['Tavily without a key', { engines: ['tavily'] }, 'passed', 'Tavily'],
  ['wrong key', { engines: ['exa'], keys: { ...report.keys, exa: 'refused' } }, 'warning', 'Exa refused its key.'],
  ['no address', { engines: ['searxng'] }, 'warning', 'SearXNG has no address.'],
  ['its address', { engines: ['searxng'], searxng: 'usable' }, 'passed', 'SearXNG'],
  [
    'an address that is not used',
    { engines: ['searxng'], searxng: 'refused' },
    'warning',
    'The address of SearXNG is neither https nor http on this machine, and isn’t used.',
  ],
])('%s', (_what, change, verdict, finding) => {
  expect(searchFinding({ ...report, ...change })).toMatchObject({ verdict, finding });
});
