import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { inProject, root } from './lib/project.mjs';

/**
 * Part of `npm run check`: sentences of the interface that break a rule of plain words. `node scripts/check-words.mjs
 * --list` prints every text that a person reads, with its place.
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

const mostWords = 20;
const rules = [
  {
    says: 'begins without its subject',
    breaks: (sentence) => /^(?:Of|What|Whose|As) /.test(sentence) && !/\?$|^As of /.test(sentence),
  },
  {
    says: `has more than ${mostWords} words`,
    breaks: (sentence) => sentence.split(/\s+/).filter((word) => /[\w…]/.test(word)).length > mostWords,
  },
  {
    says: 'uses a word that the glossary replaces',
    breaks: (sentence) =>
      /\b(?:told|tells?|telling|hears?|heard|mend(?:s|ed|ing)?|heeds?|lies?|wants?|(?:go|goes|went) out|comes? to|came to|stands?|stood|dialect)\b/i.test(
        sentence,
      ) && !/^Tell … what to do|if you still want/.test(sentence),
  },
  {
    says: 'points to a noun that is elsewhere',
    breaks: (sentence) =>
      /\b(?:another one|other one|that one|there (?:is|are|was|were) none|the other way|none of it|of this one)\b|\+ \?/i.test(
        sentence,
      ),
  },
];

/** Whether a person reads it: words apart, and no code of another language. */
const isRead = (text) =>
  /[A-Za-z]{2,} [A-Za-z(“"{]/.test(text) &&
  /[A-Z]|^…/.test(text) &&
  !/^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|WITH|ALTER|DROP|CASE|coalesce|count\(|AND|ORDER|GROUP|JOIN)\b/.test(
    text,
  ) &&
  !/^\s*(?:[.#&:@<]|--)[\w!-]|[{};]\s*$|=>|\bNOT NULL\b/.test(text);

/** A message as one of its readers sees it: the last form of a plural or choice, and no tags. */
function asShown(text) {
  let shown = text.replaceAll(/\{\w+\}/g, '…').replaceAll(/<\/?\w+>/g, '');
  const innermost = /\{\w+, (?:plural|select),(?: \S+ \{[^{}]*\})* other \{([^{}]*)\}\}/g;
  while (shown.search(innermost) >= 0) shown = shown.replaceAll(innermost, '$1');
  return shown;
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
 * @returns {{ line: number, text: string }[]}
 */
function textsIn(path, source) {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found = [];
  const add = (node, text) => {
    const clean = asShown(text).replaceAll(/\s+/g, ' ').trim();
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    if (isRead(clean)) found.push({ line, text: clean });
  };
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isLiteralTypeNode(node)) return;
    if (ts.isTaggedTemplateExpression(node) || ts.isJsxText(node)) return;
    if (ts.isJsxAttribute(node) && programAttribute.test(node.name.getText())) return;
    if (ts.isJsxElement(node)) add(node, childrenText(node));
    const text = textOf(node);
    if (text === null) return ts.forEachChild(node, visit);
    for (const line of text.split('\n')) add(node, line);
    if (ts.isTemplateExpression(node)) for (const { expression } of node.templateSpans) visit(expression);
  };
  visit(file);
  return found;
}

const files = execFileSync('git', ['ls-files', '--', 'app', 'main', 'renderer', 'vscode'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('app/simulator/') && !ofOthers.includes(file))
  .filter((file) => existsSync(inProject(file)));
const isList = process.argv.includes('--list');
for (const file of files) {
  for (const { line, text } of textsIn(file, readFileSync(inProject(file), 'utf8'))) {
    if (isList) console.log(`${file}:${line}\t${text}`);
    else
      for (const sentence of text.split(/(?<=[.?!:]) (?=[A-Z…“])/))
        for (const { says, breaks } of rules)
          if (breaks(sentence)) {
            console.log(`${file}:${line} ${says}: ${sentence}`);
            process.exitCode = 1;
          }
  }
}
