import { createHash } from 'node:crypto';

/**
 * What a Markdown document names in its own repository: links, and paths in code spans. All of it has to be there, as
 * a reader who follows it finds out.
 */

/** A fenced block holds what is typed or printed, and names nothing. @param {string} text */
const withoutFences = (text) => text.replace(/^(```|~~~)[\s\S]*?^\1.*$/gm, '');

/** GitHub's anchor of a heading. @param {string} heading */
export const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');

/** GitHub's anchors of a page's headings. @param {string} text */
function anchorsOf(text) {
  const seen = new Map();
  return new Set(
    [...withoutFences(text).matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading]) => {
      const anchor = anchorOf(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
      const before = seen.get(anchor) ?? 0;
      seen.set(anchor, before + 1);
      return before === 0 ? anchor : `${anchor}-${before}`;
    }),
  );
}

/** Targets of links and pictures that are no address. @param {string} text */
const linksIn = (text) =>
  [...withoutFences(text).matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/^\[[^\]]+\]:\s+(\S+)/gm)]
    .map(([, target]) => target)
    .filter((target) => !/^[a-z][a-z\d+.-]*:/i.test(target));

/** Code spans that read like a path in the project. One with a NAME in capitals stands for many. */
const pathsIn = (text, roots) =>
  [...withoutFences(text).matchAll(/`([\w.-]+\/[\w./*-]+)`/g)]
    .map(([, path]) => path)
    .filter((path) => roots.has(path.slice(0, path.indexOf('/'))) && !/(?:^|\/)[A-Z]{3,}(?=[./]|$)/.test(path));

/**
 * What a document names and is not there, a sentence each.
 * @param {string} file its path from the project's root, with `/`
 * @param {string} text
 * @param {{ files: string[], read: (path: string) => string }} project `files`: all of it, as paths from its root
 */
export function missingIn(file, text, { files, read }) {
  const known = new Set(files.flatMap((each) => [each, ...foldersOf(each)]));
  const exists = (path) => {
    const plain = path.replace(/\/$/, '');
    if (!plain.includes('*')) return plain === '' || known.has(plain);
    const pattern = new RegExp(`^${plain.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`);
    return [...known].some((each) => pattern.test(each));
  };
  const folder = file.split('/').slice(0, -1);
  const links = linksIn(text).flatMap((target) => {
    const [path, anchor] = target.split('#');
    const named = path === '' ? file : resolved(folder, path);
    if (named === null || !exists(named)) return [`${file} links to ${target}, which is not there.`];
    if (anchor === undefined || !named.endsWith('.md')) return [];
    return anchorsOf(named === file ? text : read(named)).has(anchor)
      ? []
      : [`${file} links to ${target}, and ${named} has no such heading.`];
  });
  const roots = files.filter((each) => each.includes('/')).map((each) => each.slice(0, each.indexOf('/')));
  const paths = pathsIn(text, new Set(roots)).filter((path) => !exists(path) && !exists([...folder, path].join('/')));
  return [...links, ...paths.map((path) => `${file} names ${path}, which is not there.`)];
}

/**
 * Pages below an index that it doesn't link to, a sentence each.
 * @param {string} index its path from the project's root
 * @param {string} text
 * @param {string[]} files
 */
export function notInIndex(index, text, files) {
  const folder = index.split('/').slice(0, -1);
  const linked = new Set(linksIn(text).map((target) => resolved(folder, target.split('#')[0] ?? '')));
  return files
    .filter((file) => file.startsWith(`${folder.join('/')}/`) && file.endsWith('.md') && file !== index)
    .filter((file) => !linked.has(file))
    .map((file) => `${index} doesn’t link to ${file}.`);
}

/** @param {string} file */
const foldersOf = (file) =>
  file
    .split('/')
    .slice(0, -1)
    .map((_, index, names) => names.slice(0, index + 1).join('/'));

/** Null if it is outside of the project. @param {string[]} folder @param {string} path */
function resolved(folder, path) {
  const parts = path.startsWith('/') ? [] : [...folder];
  for (const part of decodeURIComponent(path).split('/')) {
    if (part === '..' && parts.pop() === undefined) return null;
    if (part !== '..' && part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

/**
 * What the table "Libraries" and package.json do not agree on, a sentence each.
 * @param {string} text docs/architecture.md
 * @param {string[]} used names of the dependencies
 */
export function withoutReason(text, used) {
  const table = /^## Libraries$[\s\S]*?(?=^## |(?![\s\S]))/m.exec(text)?.[0] ?? '';
  const rows = [...table.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell]) => cell);
  const named = rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  return [
    ...used.filter((name) => !named.includes(name)).map((name) => `docs/architecture.md gives no reason for ${name}.`),
    ...named
      .filter((name) => !used.includes(name))
      .map((name) => `docs/architecture.md names ${name}, which isn't used.`),
  ];
}

/**
 * A sentence for each translated README that stands for an older English one: its first line has the hash of what it
 * translates, which is the beginning, the steps and the risk.
 * @param {string} english README.md
 * @param {Record<string, string>} translated texts by file
 */
export function notInStep(english, translated) {
  const parts = ['(?<![\\s\\S])', '## Three steps$', '## The risk$'].map(
    (start) => new RegExp(`${start}[\\s\\S]*?(?=^## )`, 'm').exec(english) ?? [''],
  );
  const hash = createHash('sha256')
    .update(parts.map(([part]) => part).join('\n'))
    .digest('hex')
    .slice(0, 16);
  return Object.entries(translated)
    .filter(([, text]) => !text.startsWith(`<!-- translates README.md ${hash} -->\n`))
    .map(
      ([file]) => `${file} translates an older README.md. Translate what changed, then put ${hash} in its first line.`,
    );
}
