import { type Message, msg } from '../language/messages.ts';

/**
 * A search engine. Its schema, settings, key, variables, words and its row in docs/web-search.md are made from this;
 * how it is asked and read is one file in `app/search/`, named in the list of `app/search/engines.ts`.
 */
interface SearchEngineRow {
  /** Name for people. */
  title: string;
  /** One sentence or two below its title in Settings. */
  help: Message;
  /** `perhaps`: it answers without a key, too. */
  key: 'always' | 'perhaps' | 'never';
  /** The address for all its users; null if it has none, or another room knows it. */
  address: string | null;
  /** Whether `JUMPSEAT_<NAME>_URL` may name another address. */
  takesAddress: boolean;
  /** Its row in the docs: what leaves the machine, to whom, what it costs. */
  docs: readonly [string, string, string];
}

/** Engines in the order in which they are offered. */
export const searchEngines = {
  copilot: {
    title: 'Copilot',
    help: msg('Searches with one of your GPT models. Its tokens are billed and logged as a separate request.'),
    key: 'never',
    address: null,
    takesAddress: false,
    docs: [
      'the query, domains and place, in a request for a GPT model with OpenAI’s hosted `web_search`',
      'Copilot',
      'the tokens of the pages, no fee for the search. Reported as a separate request; the cheapest model takes about a credit',
    ],
  },
  github: {
    title: 'GitHub',
    help: msg('GitHub’s own search tool, with your GitHub sign-in. Takes 10 to 20 s. Its cost is not reported.'),
    key: 'never',
    address: null,
    takesAddress: false,
    docs: [
      'the query, with the GitHub token of VS Code’s sign-in',
      'GitHub’s MCP server at Copilot’s address',
      'not reported. 10 to 20 s. GitHub doesn’t document it: it may go away',
    ],
  },
  brave: {
    title: 'Brave',
    help: msg('Sends the query to Brave with your key.'),
    key: 'always',
    address: 'https://api.search.brave.com',
    takesAddress: true,
    docs: ['the query with `site:` for domains, the country', 'api.search.brave.com', 'your plan there'],
  },
  tavily: {
    title: 'Tavily',
    help: msg('Sends the query to Tavily with your key, or without a key in its keyless mode.'),
    key: 'perhaps',
    address: 'https://api.tavily.com',
    takesAddress: true,
    docs: [
      'the query and domains; without a key in its keyless mode, which allows few searches',
      'api.tavily.com',
      'your plan there',
    ],
  },
  exa: {
    title: 'Exa',
    help: msg('Sends the query to Exa with your key.'),
    key: 'always',
    address: 'https://api.exa.ai',
    takesAddress: true,
    docs: ['the query and domains', 'api.exa.ai', 'reported by Exa, in dollars'],
  },
  serpapi: {
    title: 'SerpApi',
    help: msg('Sends the query to SerpApi with your key. SerpApi sends it to Google.'),
    key: 'always',
    address: 'https://serpapi.com',
    takesAddress: true,
    docs: [
      'the query with `site:`, the country, and the key in the address',
      'serpapi.com, and Google behind it',
      'your plan there',
    ],
  },
  searxng: {
    title: 'SearXNG',
    help: msg('Sends the query to your own SearXNG.'),
    key: 'never',
    address: null,
    takesAddress: true,
    docs: [
      'the query with `site:`',
      'the address you enter: https, or http on this machine. Its `search.formats` needs `json`',
      'nothing',
    ],
  },
  duckduckgo: {
    title: 'DuckDuckGo',
    help: msg('Sends the query to DuckDuckGo’s page for browsers, which may refuse programs.'),
    key: 'never',
    address: 'https://html.duckduckgo.com',
    takesAddress: true,
    docs: [
      'the query with `site:`',
      'html.duckduckgo.com, a page for browsers: it has no API and may refuse programs (HTTP 202)',
      'nothing',
    ],
  },
  anthropic: {
    title: 'Anthropic',
    help: msg('Sends the whole request to Anthropic with your own key: $10 for 1,000 searches, and tokens.'),
    key: 'always',
    address: 'https://api.anthropic.com',
    takesAddress: true,
    docs: [
      'Claude Code’s request for the search, unchanged',
      'api.anthropic.com',
      '$10 for 1,000 searches, and the tokens; not reported by search',
    ],
  },
} as const satisfies Readonly<Record<string, SearchEngineRow>>;

export type SearchEngineName = keyof typeof searchEngines;
export const searchEngineNames = Object.keys(searchEngines) as SearchEngineName[];

/** An engine that takes a key of the person's. */
type KeyedSearchEngineName = {
  [Name in SearchEngineName]: (typeof searchEngines)[Name]['key'] extends 'never' ? never : Name;
}[SearchEngineName];

export const keyedSearchEngineNames = searchEngineNames.filter(isKeyed);

export function isKeyed(name: string): name is KeyedSearchEngineName {
  return isSearchEngine(name) && searchEngines[name].key !== 'never';
}

function isSearchEngine(name: string): name is SearchEngineName {
  return Object.hasOwn(searchEngines, name);
}
