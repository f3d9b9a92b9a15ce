import { isObject, type JsonObject } from '../wire/json.ts';

/** A page that a hosted web search has looked at. */
interface SearchedPage {
  url: string;
  /** Null if the search only named its address. */
  title: string | null;
  /** Parts of the answer that rest on it, in their order. */
  passages: string[];
}

/** What a whole Responses answer says about the hosted web searches it was made with. */
export interface Searched {
  /** Calls that came to their end. */
  searches: number;
  text: string;
  /** The pages that the answer cites, in its order, then the others. */
  pages: SearchedPage[];
}

/**
 * Sources are told in three ways: `url_citation` annotations, `action.sources` where the request includes them, and
 * links in the text, which is all that some answers have.
 */
export function readSearched(response: JsonObject): Searched {
  const items = objects(response.output);
  const calls = items.filter(({ type }) => type === 'web_search_call');
  const parts = items
    .filter(({ type }) => type === 'message')
    .flatMap(({ content }) => objects(content))
    .flatMap((part) => (typeof part.text === 'string' ? [{ ...part, text: part.text }] : []));
  const pages = new Map<string, SearchedPage>();
  for (const part of parts) {
    for (const cited of citationsOf(part)) add(pages, cited);
    for (const linked of linksIn(part.text)) add(pages, linked);
  }
  for (const call of calls) for (const url of sourcesOf(call)) add(pages, { url, title: null, passage: null });
  const searches = calls.filter(({ status }) => status !== 'failed' && status !== 'incomplete').length;
  return { searches, text: parts.map(({ text }) => text).join(''), pages: [...pages.values()] };
}

interface Mention {
  url: string;
  title: string | null;
  passage: string | null;
}

function add(pages: Map<string, SearchedPage>, { url, title, passage }: Mention): void {
  const plain = withoutMark(url);
  if (plain === null) return;
  const page = pages.get(plain) ?? { url: plain, title: null, passages: [] };
  page.title ??= title === '' ? null : title;
  if (passage !== null && passage !== '' && !page.passages.includes(passage)) page.passages.push(passage);
  pages.set(plain, page);
}

function citationsOf({ text, annotations }: { text: string; annotations?: unknown }): Mention[] {
  return objects(annotations).flatMap((annotation) => {
    const { type, url, title, start_index: from, end_index: to } = annotation;
    if (type !== 'url_citation' || typeof url !== 'string') return [];
    const passage = typeof from === 'number' && typeof to === 'number' ? passageAt(text, from, to) : null;
    return [{ url, title: typeof title === 'string' ? title : null, passage }];
  });
}

/**
 * What rests on the page: the words that the citation spans, or, where it spans a mark alone, the line that this stands
 * in.
 */
function passageAt(text: string, from: number, to: number): string | null {
  if (from < 0 || from >= text.length || to < from) return null;
  const span = text.slice(from, to);
  if (!isMark(span)) return withoutLinks(span);
  const start = text.lastIndexOf('\n', from - 1) + 1;
  const end = text.indexOf('\n', to);
  return withoutLinks(text.slice(start, from) + text.slice(to, end === -1 ? text.length : end));
}

/** A link or a reference (`【3:2†source】`), which says nothing itself. */
function isMark(span: string): boolean {
  return span.includes('](http') || /^\s*(?:【.*】|\[\d+\])?\s*$/.test(span);
}

const link = /\[([^\]\n]{1,300})\]\((https?:\/\/[^\s)]{1,2000})\)/g;

function linksIn(text: string): Mention[] {
  return [...text.matchAll(link)].map(({ 1: title = '', 2: url = '', index }) => {
    const start = text.lastIndexOf('\n', index) + 1;
    const end = text.indexOf('\n', index);
    return { url, title, passage: withoutLinks(text.slice(start, end === -1 ? text.length : end)) };
  });
}

function withoutLinks(line: string): string {
  return line
    .replace(/\(?\[[^\]\n]{1,300}\]\(https?:\/\/[^\s)]{1,2000}\)\)?/g, '')
    .replace(/^[\s>*#-]+/, '')
    .replace(/\s+([.,;:])/g, '$1')
    .trim();
}

function sourcesOf({ action }: JsonObject): string[] {
  if (!isObject(action)) return [];
  const listed = objects(action.sources).map(({ url }) => url);
  return [...(action.type === 'open_page' ? [action.url] : []), ...listed].filter((url) => typeof url === 'string');
}

/** OpenAI marks the links it gives with where they come from; the page is the same without. Null for no address. */
function withoutMark(url: string): string | null {
  if (!URL.canParse(url)) return null;
  if (!url.includes('utm_source=openai')) return url;
  const plain = new URL(url);
  plain.searchParams.delete('utm_source');
  return plain.href;
}

function objects(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
