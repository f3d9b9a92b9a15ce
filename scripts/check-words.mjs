import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import ts from 'typescript';
import { inProject, root } from './lib/project.mjs';
import { textsInPage } from './words/pages.mjs';
import { asShown, stumblesIn } from './words/translations.mjs';

/**
 * Part of `npm run check`: sentences of the interface, and of the pages for its readers, that break a rule of plain
 * words; and translations that their readers would stumble over. `node scripts/check-words.mjs --list` prints every
 * text of the interface, with its place.
 */

/** Attributes whose text is for programs. */
const programAttribute =
  /^(?:aria-(?:controls|describedby|labelledby)|className|id|data-.*|href|src|type|role|name|key|d|viewBox|style|rel|target|htmlFor|dir|lang|autoComplete|inputMode|fill|stroke.*|xmlns)$/;

/** Texts of other programs, and what a model reads. */
const ofOthers = [
  'app/exchange/initiator/claude-code-texts.ts',
  'app/search/copilot.ts',
  'app/sessions/agents/claude/entry/questions.ts',
];

/** A sentence of the interface is read at a glance; one of a page may list what something has. */
const mostWords = 20;
const mostWordsInPages = 40;

const isLongerThan = (most) => ({
  says: `has more than ${most} words`,
  breaks: (sentence) => sentence.split(/\s+/).filter((word) => /[\w…]/.test(word)).length > most,
});
const replaced = (words, but) => ({
  says: 'uses a word that the glossary replaces',
  breaks: (sentence) => words.test(sentence) && !but.test(sentence),
});
const pointing = {
  says: 'points to a noun that is elsewhere',
  breaks: (sentence) =>
    /\b(?:another one|other one|(?<!so )that one|there (?:is|are|was|were) none|the other way|none of it|of this one)\b|\+ \?/i.test(
      sentence,
    ),
};
/** A clause that could end with a comma ends with a period. */
const dangling = {
  says: 'is a clause without its sentence',
  breaks: (sentence) => /^(?:Although|Because|If|Though|Unless|When|Whereas|While) [^,:;]*\.$/.test(sentence),
};

const rules = [
  {
    says: 'begins without its subject',
    breaks: (sentence) => /^(?:Of|What|Whose|As) /.test(sentence) && !/\?$|^As of /.test(sentence),
  },
  isLongerThan(mostWords),
  replaced(
    /\b(?:told|tells?|telling|hears?|heard|mend(?:s|ed|ing)?|heeds?|lies?|wants?|(?:go|goes|went) out|comes? to|came to|stands?|stood|dialect)\b/i,
    /^Tell … what to do|if you still want/,
  ),
  pointing,
  dangling,
];

/** A page may speak of wishes, of lies and of what tells Copilot something. */
const pageRules = [
  isLongerThan(mostWordsInPages),
  replaced(
    /\b(?:told|hears?|heard|mend(?:s|ed|ing)?|heeds?|lies? (?!about|on purpose)|(?:go|goes|went) out|came to|stands? (?!for)|stood|dialect)\b/i,
    /^$/,
  ),
  pointing,
  dangling,
];

/** Whether a person reads it: words apart, and no code of another language. */
const isRead = (text) =>
  /[A-Za-z]{2,} [A-Za-z(“"{]/.test(text) &&
  /[A-Z]|^…/.test(text) &&
  !/^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|WITH|ALTER|DROP|CASE|coalesce|count\(|AND|ORDER|GROUP|JOIN)\b/.test(
    text,
  ) &&
  !/^\s*(?:[.#&:@<]|--)[\w!-]|[{};]\s*$|=>|\bNOT NULL\b/.test(text);

/** A message as one of its readers sees it; other texts as they are. */
function readerText(text) {
  try {
    return asShown(text, '…');
  } catch {
    return text;
  }
}

/** The text of a literal or of literals that are joined, with `…` for what is put in; null if it is none. */
function textOf(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return null;
  const sides = [textOf(node.left), textOf(node.right)];
  return sides.includes(null) ? null : sides.join('');
}

/** Text between two tags, with `…` for values. */
const childrenText = (element) =>
  element.children
    .map((child) => {
      if (ts.isJsxText(child)) return child.text;
      const inner = ts.isJsxExpression(child) ? child.expression : child;
      return inner === undefined ? '' : ts.isStringLiteralLike(inner) ? inner.text : '…';
    })
    .join('');

/**
 * @param {string} path
 * @param {string} source
 * @returns {{ line: number, text: string, isBare?: true }[]}
 */
function textsIn(path, source) {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found = [];
  const add = (node, text) => {
    const clean = readerText(text).replaceAll(/\s+/g, ' ').trim();
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    if (isRead(clean)) found.push({ line, text: clean });
  };
  /** Written into an element, and not as a message. What is typed is the same in all languages. */
  const addBare = (node, text) => {
    if (!/[A-Za-z]{2,} [a-z]/.test(text) || /^npm /.test(text)) return;
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    found.push({ line, text: text.trim(), isBare: true });
  };
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isLiteralTypeNode(node)) return;
    if (ts.isTaggedTemplateExpression(node)) return;
    if (ts.isJsxText(node)) return addBare(node, node.text);
    if (ts.isJsxAttribute(node) && programAttribute.test(node.name.getText())) return;
    if (ts.isJsxAttribute(node) && node.initializer && ts.isStringLiteral(node.initializer))
      addBare(node, node.initializer.text);
    if (ts.isJsxElement(node)) add(node, childrenText(node));
    const text = textOf(node);
    if (text === null) return ts.forEachChild(node, visit);
    for (const line of text.split('\n')) add(node, line);
    if (ts.isTemplateExpression(node)) for (const { expression } of node.templateSpans) visit(expression);
  };
  visit(file);
  return found;
}

const tracked = (...places) =>
  execFileSync('git', ['ls-files', '--', ...places], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(inProject(file)));
const read = (file) => readFileSync(inProject(file), 'utf8');
const faults = [];
const check = (file, { line, text }, broken) => {
  for (const sentence of text.split(/(?<=[.?!:]) (?=[A-Z…“])| · /))
    for (const { says, breaks } of broken) if (breaks(sentence)) faults.push(`${file}:${line} ${says}: ${sentence}`);
};

const isList = process.argv.includes('--list');
for (const file of tracked('app', 'main', 'renderer', 'vscode').filter(
  (name) => /\.tsx?$/.test(name) && !name.startsWith('app/simulator/') && !ofOthers.includes(name),
))
  for (const found of textsIn(file, read(file)))
    if (found.isBare) faults.push(`${file}:${found.line} is no message, so it stays English: ${found.text}`);
    else if (isList) console.log(`${file}:${found.line}\t${found.text}`);
    else check(file, found, rules);

// Phrases that begin small, such as the help of a command.
const list = 'app/language/messages.json';
const phrases = JSON.parse(read(list)).map((text, at) => ({ line: at + 2, text: readerText(text) }));
for (const found of isList ? [] : phrases.filter(({ text }) => !isRead(text))) check(list, found, rules);

// Glossaries name the words that are replaced; pages in other languages have no English.
const pages = tracked(':(glob)*.md', 'docs/*.md', 'resources/npm/README.md', 'vscode/README.md').filter(
  (file) => !/^docs\/(?:glossary\.md|languages\/)|\.(?:de|ja|zh-CN)\.md$/.test(file),
);
for (const file of isList ? [] : pages) for (const found of textsInPage(read(file))) check(file, found, pageRules);

for (const file of isList ? [] : tracked('app/language/catalogs'))
  for (const [message, translation] of Object.entries(JSON.parse(read(file))))
    for (const says of stumblesIn(basename(file, '.json'), message, translation))
      faults.push(`${file} ${says}: ${message}`);

for (const fault of faults) console.log(fault);
if (faults.length > 0) process.exitCode = 1;
