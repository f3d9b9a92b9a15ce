import { basename, dirname } from 'node:path';
import postcss from 'postcss';
import ts from 'typescript';

/** Pixels that the steps of the scale in renderer/styles/tokens.css stand for, by what they measure. */
const heights = new Map([
  ['24px', '--control-small'],
  ['28px', '--control'],
  ['32px', '--control-large'],
]);
const breakpoints = [
  ...[
    '(width < 560px)',
    '(width < 760px)',
    '(width < 900px)',
    '(width < 1024px)',
    '(width < 1144px)',
    '(height < 560px)',
    '(height < 400px)',
  ],
  ...['(forced-colors: active)', '(prefers-contrast: more)', '(prefers-reduced-motion: reduce)', '(hover: hover)'],
];
/** A room inside of the window may have less width than it. */
const containers = ['(height < 90px)', '(width < 420px)', '(width < 560px)', '(width < 600px)', '(width < 700px)'];

/** The words after which a declaration may be off the scale: a comment, in the same line or the line above. */
const exception = 'off the scale:';

/**
 * What a style sheet does in another way than the scale of space, type and heights, and the list of breakpoints.
 * @param {string} css
 * @returns {string[]}
 */
export function offScale(css) {
  const found = [];
  const root = postcss.parse(css);
  root.walkDecls((declaration) => {
    const { prop, value, source } = declaration;
    if (prop.startsWith('--') || isExcused(declaration)) return;
    const at = `line ${source?.start?.line}: ${prop}: ${value}`;
    if (/^(?:padding|margin)(?:-|$)|^(?:row-|column-)?gap$/.test(prop)) {
      if (/(?<![\w-])(?!0px|1px)\d*\.?\d+px/.test(value)) found.push(`${at} is no step of --space-1 to --space-9.`);
    } else if (prop === 'font-size' || prop === 'font') {
      if (/\d(?:px|r?em)(?=\s*(?:\/|$))/.test(value.split('/')[0] ?? ''))
        found.push(`${at} is no step of --type-1 to --type-7.`);
    } else if (/^(?:min-|max-)?height$/.test(prop) && heights.has(value)) {
      found.push(`${at} is var(${heights.get(value)}).`);
    }
  });
  root.walkAtRules(/^(?:media|container)$/, ({ name, params, source }) => {
    const asked = name === 'container' ? params.replace(/^[\w-]+ /, '') : params;
    const allowed = name === 'container' ? containers : breakpoints;
    if (!allowed.includes(asked))
      found.push(`line ${source?.start?.line}: @${name} ${params} is none of: ${allowed.join(', ')}.`);
  });
  return found;
}

function isExcused(declaration) {
  const around = [declaration.prev(), declaration.next()];
  return around.some(
    (node) =>
      node?.type === 'comment' &&
      node.text.startsWith(exception) &&
      (node === around[0] || node.source.start.line === declaration.source.end.line),
  );
}

/**
 * Classes of a module, and those that it calls global.
 * @param {string} css
 * @returns {{ own: Set<string>, shared: Set<string> }}
 */
export function classesIn(css) {
  const own = new Set();
  const shared = new Set();
  postcss.parse(css).walkRules(({ selector }) => {
    const rest = selector.replace(/:global\(([^()]*)\)/g, (_, inner) => {
      for (const [, name] of inner.matchAll(/\.([\w-]+)/g)) shared.add(name);
      return '';
    });
    for (const [, name] of rest.matchAll(/\.(-?[A-Za-z_][\w-]*)/g)) own.add(name);
  });
  return { own, shared };
}

/** Classes that look in a way wherever they are, not only inside of another. @param {string} css */
function looksIn(css) {
  const looks = new Set();
  postcss.parse(css).walkRules(({ selectors }) => {
    for (const selector of selectors) {
      const [first = ''] = selector.replace(/\([^()]*\)/g, (inner) => inner.replaceAll(' ', '')).split(/[ >+~]/);
      for (const [, name] of first.matchAll(/\.(-?[A-Za-z_][\w-]*)/g)) looks.add(name);
    }
  });
  return looks;
}

/**
 * What a source names: its modules of styles, the words that are classes for certain (in `css(…)`, and in a plain
 * `className`), and all its words, since a class may be a kind of something.
 * @param {string} file @param {string} text
 */
export function namedIn(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const modules = [];
  const classes = new Set();
  const plain = new Set();
  const words = new Set();
  const wordsOf = (string) => string.split(/\s+/).filter(Boolean);
  const add = (node, to) => {
    if (ts.isStringLiteralLike(node)) for (const word of wordsOf(node.text)) to.add(word);
    else if (ts.isObjectLiteralExpression(node)) {
      for (const { name } of node.properties) if (!ts.isComputedPropertyName(name)) to.add(name.text);
    } else if (ts.isConditionalExpression(node)) for (const one of [node.whenTrue, node.whenFalse]) add(one, to);
    else if (ts.isArrayLiteralExpression(node)) for (const one of node.elements) add(one, to);
    else if (ts.isBinaryExpression(node)) add(node.right, to);
    else if (ts.isParenthesizedExpression(node)) add(node.expression, to);
    else if (ts.isJsxExpression(node) && node.expression) add(node.expression, to);
    else if (ts.isCallExpression(node) && node.expression.getText(source) === 'classNames') {
      for (const one of node.arguments) add(one, to);
    }
  };
  const walk = (node) => {
    if (ts.isImportDeclaration(node) && node.moduleSpecifier.text.endsWith('.module.css')) {
      modules.push(basename(node.moduleSpecifier.text, '.module.css'));
    } else if (ts.isJsxAttribute(node) && node.name.getText(source) === 'className' && node.initializer)
      add(node.initializer, plain);
    else if (ts.isCallExpression(node) && node.expression.getText(source) === 'css')
      for (const one of node.arguments) add(one, classes);
    if (ts.isStringLiteralLike(node)) for (const word of wordsOf(node.text)) words.add(word);
    else if (ts.isIdentifier(node)) words.add(node.text);
    else if (ts.isTemplateExpression(node)) words.add(`${node.head.text.split(/\s/).at(-1)}*`);
    ts.forEachChild(node, walk);
  };
  walk(source);
  return { modules, classes, plain, words };
}

/**
 * Classes that a module defines and nobody names, words of a `className` that nobody defines, and names that mean two
 * things.
 * @param {Record<string, string>} modules sheets by file
 * @param {string[]} sharedSheets of the shared looks
 * @param {{ file: string, modules: string[], classes: Set<string>, plain: Set<string>, words: Set<string> }[]} sources
 * @returns {string[]}
 */
export function mismatches(modules, sharedSheets, sources) {
  const found = [];
  const shared = new Set(sharedSheets.flatMap((css) => [...classesIn(css).own]));
  const looks = new Set(sharedSheets.flatMap((css) => [...looksIn(css)]));
  const sheets = new Map();
  for (const [path, css] of Object.entries(modules)) {
    const name = basename(path, '.module.css');
    const sheet = classesIn(css);
    sheets.set(name, sheet);
    // A kind that is a class may come from a file beside those that import the sheet.
    const isOfRoom = (file) => dirname(file) === dirname(path);
    const users = sources.filter((source) => source.modules.includes(name) || isOfRoom(source.file));
    const isNamed = (word) =>
      users.some(
        ({ words }) =>
          words.has(word) ||
          [...words].some((one) => one.length > 1 && one.endsWith('*') && word.startsWith(one.slice(0, -1))),
      );
    for (const word of sheet.own) {
      if (!isNamed(word)) found.push(`${name}.module.css: .${word} is named by no file of its room.`);
      if (looks.has(word)) found.push(`${name}.module.css: .${word} is a shared look, too.`);
    }
    for (const word of sheet.shared) {
      if (!shared.has(word) && word !== 'octicon')
        found.push(`${name}.module.css: :global(.${word}) is no shared look.`);
    }
  }
  for (const { file, modules: imported, classes, plain } of sources) {
    for (const word of plain) {
      if (shared.has(word) || word === 'octicon') continue;
      found.push(`${file}: .${word} is no shared look; is it meant to be in css(…)?`);
    }
    for (const word of classes) {
      if (shared.has(word) || imported.some((name) => sheets.get(name)?.own.has(word))) continue;
      found.push(`${file}: no sheet that it can name has .${word}.`);
    }
  }
  return found;
}
