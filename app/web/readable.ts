import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import Turndown from 'turndown';

export interface ReadablePage {
  title: string | null;
  markdown: string;
}

/** More elements than any page for people has. */
const mostElements = 100_000;

/** Each element needs one; counted before the parser takes memory for it. */
const tag = /<[a-z]/gi;

/**
 * The part of a page that a person would read, as Markdown; all of it where no such part is found. Nothing of the page
 * is run or fetched. Throws what the parsers throw, and may take long: for a process of its own alone.
 */
export function readable(html: string, address: string): ReadablePage {
  if ((html.match(tag)?.length ?? 0) > mostElements) throw new Error('The page has too many elements.');
  // The parser adds no element that a page leaves out.
  const { document } = parseHTML(/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`);
  const title = document.querySelector('title')?.textContent.trim() || null;
  const whole = document.cloneNode(true);
  const article = new Readability<Node>(document, {
    maxElemsToParse: mostElements,
    serializer: (node) => node,
    disableJSONLD: true,
  }).parse();
  const content = article?.content ?? null;
  const markdown = content === null ? '' : writer(address).turndown(asRoot(content));
  const text = markdown.trim() === '' ? writer(address).turndown(asRoot(whole)) : markdown;
  return { title: title ?? (article?.title || null), markdown: text.trim() };
}

/** A clone of a document or an element, both of which it takes. */
function asRoot(node: Node): Turndown.Node {
  return node as Turndown.Node;
}

function writer(address: string): Turndown {
  const markdown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
  markdown.remove(['script', 'style', 'noscript', 'template', 'iframe', 'object', 'head', 'title', 'button', 'select']);
  // Of an image the text in its place is enough.
  markdown.addRule('image', {
    filter: ['img'],
    replacement: (_content, node) => ('getAttribute' in node ? (node.getAttribute('alt') ?? '') : ''),
  });
  markdown.addRule('link', {
    filter: ['a'],
    replacement: (content, node) => {
      const target = 'getAttribute' in node ? absolute(node.getAttribute('href'), address) : null;
      return target === null || content.trim() === '' ? content : `[${content.trim()}](${target})`;
    },
  });
  return markdown;
}

/** Null if there is no address, or it is within the same page. */
function absolute(href: string | null, address: string): string | null {
  if (href === null || href.startsWith('#')) return null;
  const target = URL.parse(href, address);
  return target !== null && /^https?:$/.test(target.protocol) ? target.href : null;
}
