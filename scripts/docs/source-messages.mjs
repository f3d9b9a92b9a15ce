import { readFileSync } from 'node:fs';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';
import ts from 'typescript';
import { inProject } from '../lib/project.mjs';

/**
 * The sentences for people in the sources: errors, problems and findings, each with its next step. A part that the
 * program fills in is `…`.
 * @typedef {{ file: string, texts: string[], remedies: string[], code: string | null, status: string | null }} Message
 */

/** Where a sentence would have more alternatives, the last part is `…`. */
const mostAlternatives = 10;
const gap = '…';

/** @param {string} file its path from the project's root */
export function parsed(file) {
  return ts.createSourceFile(file, readFileSync(inProject(file), 'utf8'), ts.ScriptTarget.Latest, true);
}

/** @param {import('typescript').Node} root @param {(node: import('typescript').Node) => void} visit */
export function walk(root, visit) {
  visit(root);
  ts.forEachChild(root, (child) => walk(child, visit));
}

/**
 * Constants of all files that hold a text, and functions, by their names; a name that stands for two is left out.
 * @returns {{ texts: Map<string, object | null>, functions: Map<string, object | null> }}
 */
export function sharedTexts(sources) {
  const found = new Map();
  const functions = new Map();
  for (const source of sources) {
    for (const statement of source.statements) {
      if (ts.isFunctionDeclaration(statement) && statement.name !== undefined && statement.body !== undefined) {
        const name = statement.name.text;
        functions.set(name, functions.has(name) ? null : statement);
      }
      if (!ts.isVariableStatement(statement)) continue;
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (initializer === undefined || !ts.isIdentifier(name)) continue;
        if (!isText(initializer)) continue;
        found.set(name.text, found.has(name.text) ? null : initializer);
      }
    }
  }
  return { texts: found, functions };
}

/** `t('…')`, `msg('…')`: a message of the catalogs, written out. */
const isMessage = (node) =>
  ts.isCallExpression(node) && ts.isIdentifier(node.expression) && ['t', 'msg'].includes(node.expression.text);

/**
 * What a message can say, with gaps for what is put in. A plural says its usual form.
 * @param {(name: string) => string[]} [put] what is put in for a name
 */
function formsOf(parts, put = () => [gap]) {
  return parts.reduce(
    (all, part) => {
      if (part.type === TYPE.literal) return combined(all, [part.value]);
      if (part.type === TYPE.plural) return combined(all, formsOf(part.options.other.value, put));
      if (part.type !== TYPE.select) {
        const words = part.type === TYPE.argument ? put(part.value) : [gap];
        return combined(all, all.length * words.length > mostAlternatives ? [gap] : words);
      }
      const forms = Object.values(part.options).flatMap(({ value }) => formsOf(value, put));
      return combined(all, all.length * forms.length > mostAlternatives ? [gap] : forms);
    },
    [''],
  );
}

const isText = (node) =>
  isMessage(node) ||
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node) ||
  (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken);

/** What an expression can say; null if that stands elsewhere. @returns {string[] | null} */
export function textsOf(node, shared, depth = 0) {
  if (depth > 8) return null;
  const deeper = (child) => textsOf(child, shared, depth + 1);
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
    return deeper(node.expression);
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node)) {
    return node.templateSpans.reduce(
      (all, span) => {
        const parts = partOf(span.expression);
        return combined(
          all,
          combined(all.length * parts.length > mostAlternatives ? [gap] : parts, [span.literal.text]),
        );
      },
      [node.head.text],
    );
  }
  if (ts.isConditionalExpression(node)) {
    const [yes, no] = [deeper(node.whenTrue), deeper(node.whenFalse)];
    // What may be added to a sentence is left out.
    if (yes?.length === 1 && yes[0] === '') return yes;
    if (no?.length === 1 && no[0] === '') return no;
    return yes === null && no === null ? null : [...(yes ?? [gap]), ...(no ?? [gap])];
  }
  if (ts.isBinaryExpression(node)) {
    const kind = node.operatorToken.kind;
    if (kind === ts.SyntaxKind.QuestionQuestionToken) return [gap, ...(deeper(node.right) ?? [])];
    if (kind !== ts.SyntaxKind.PlusToken) return null;
    const [left, right] = [deeper(node.left), deeper(node.right)];
    return left === null && right === null ? null : combined(left ?? [gap], right ?? [gap]);
  }
  if (ts.isElementAccessExpression(node) && ts.isIdentifier(node.expression)) {
    const table = constantOf(node.expression, shared);
    if (table === null || !ts.isObjectLiteralExpression(table)) return null;
    return Object.values(propertiesOf(table)).flatMap((value) => deeper(value) ?? []);
  }
  if (isMessage(node)) {
    const written = deeper(node.arguments[0]);
    const [, given] = node.arguments;
    const values = given !== undefined && ts.isObjectLiteralExpression(given) ? propertiesOf(given) : {};
    const put = (name) => (values[name] !== undefined && isText(values[name]) ? partOf(values[name], true) : [gap]);
    return written === null ? null : formsOf(parse(written[0]), put);
  }
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
    if (node.expression.text === 'translated') return deeper(node.arguments[0]);
    if (node.expression.text === 'sentences') return following(node.arguments.map((each) => partOf(each, true)));
    const name = node.expression.text;
    const called =
      functionNamed(node.getSourceFile(), name) ?? (isImported(node.expression) ? shared.functions.get(name) : null);
    return called == null ? null : returnedBy(called).flatMap((value) => deeper(value) ?? [gap]);
  }
  const [mapped] = isJoined(node) ? node.expression.expression.arguments : [];
  if (mapped !== undefined && ts.isIdentifier(mapped)) {
    const called = functionNamed(node.getSourceFile(), mapped.text);
    return called === null ? null : returnedBy(called).flatMap((value) => deeper(value) ?? [gap]);
  }
  if (ts.isIdentifier(node)) {
    const initializer = constantOf(node, shared);
    return initializer === null ? null : deeper(initializer);
  }
  return null;

  /** What a template fills in is said where it is a choice between words, and a gap otherwise. */
  function partOf(expression, isWhole = false) {
    const said = isWhole || isChoice(expression) ? deeper(expression) : null;
    return said === null || said.some((part) => part.includes(gap) && !hasWords(part)) ? [gap] : said;
  }
}

/** Sentences one behind the other. */
const following = (each) =>
  each.reduce((all, next) => {
    const both = all.length * next.length > mostAlternatives ? [gap] : next;
    return all.flatMap((before) => both.map((after) => [before, after].filter((text) => text !== '').join(' ')));
  });

/** `list.map(words).join(' ')` */
function isJoined(node) {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { name, expression } = node.expression;
  return name.text === 'join' && ts.isCallExpression(expression) && expression.expression.name?.text === 'map';
}

const isChoice = (node) =>
  ts.isConditionalExpression(node) ||
  ts.isIdentifier(node) ||
  ts.isElementAccessExpression(node) ||
  ts.isCallExpression(node) ||
  ts.isParenthesizedExpression(node);

/** The function of this name in a file; null if it has none. */
export function functionNamed(source, name) {
  return source.statements.find((each) => ts.isFunctionDeclaration(each) && each.name?.text === name) ?? null;
}

/** What a function returns, without the functions in it. */
function returnedBy(declaration) {
  const found = [];
  const visit = (node) => {
    if (ts.isReturnStatement(node) && node.expression !== undefined) found.push(node.expression);
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  ts.forEachChild(declaration.body, visit);
  return found;
}

const combined = (before, after) => before.flatMap((start) => after.map((end) => start + end));

/** The constant of this name in the functions around it, or one that the file imports; null if it is no constant. */
function constantOf(identifier, shared) {
  const { text: name } = identifier;
  for (let scope = identifier.parent; scope !== undefined; scope = scope.parent) {
    if (ts.isFunctionLike(scope) && scope.parameters.some((each) => namesIn(each.name).includes(name))) return null;
    if (!ts.isBlock(scope) && !ts.isSourceFile(scope) && !ts.isCaseClause(scope)) continue;
    for (const statement of scope.statements) {
      if (!ts.isVariableStatement(statement)) continue;
      const own = statement.declarationList.declarations.find((each) => namesIn(each.name).includes(name));
      if (own === undefined) continue;
      return ts.isIdentifier(own.name) ? (own.initializer ?? null) : null;
    }
  }
  return isImported(identifier) ? (shared.texts.get(name) ?? null) : null;
}

const namesIn = (name) =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((each) => (ts.isBindingElement(each) ? namesIn(each.name) : []));

const isImported = (identifier) =>
  identifier
    .getSourceFile()
    .statements.some(
      (each) =>
        ts.isImportDeclaration(each) &&
        each.importClause?.namedBindings?.elements?.some(({ name }) => name.text === identifier.text),
    );

/** Properties of an object by name; a shorthand is the constant of its name. */
export function propertiesOf(object) {
  return Object.fromEntries(
    object.properties.flatMap((property) => {
      if (ts.isPropertyAssignment(property)) return [[property.name.getText(), property.initializer]];
      return ts.isShorthandPropertyAssignment(property) ? [[property.name.text, property.name]] : [];
    }),
  );
}

/**
 * Where a constructor of an error of ours has its sentence: before `remedy` or, where that is no parameter, last.
 * @returns {Map<string, { code: number | null, message: number, remedy: number | null }>} by class
 */
export function errorClasses(sources) {
  const classes = new Map();
  /** Classes that have the constructor of another one. */
  const bases = new Map();
  for (const source of sources) {
    walk(source, (node) => {
      if (!ts.isClassDeclaration(node) || node.name === undefined) return;
      const made = node.members.find(ts.isConstructorDeclaration);
      const base = node.heritageClauses?.[0]?.types[0]?.expression.getText();
      if (made === undefined && base !== undefined) bases.set(node.name.text, base);
      const names = made?.parameters.map(({ name }) => name.getText()) ?? [];
      const message = names.findIndex((name) => ['message', 'text', 'reason'].includes(name));
      const remedy = names.indexOf('remedy');
      if (message < 0 || remedy < 0) return;
      const code = names.findIndex((name) => name === 'code' || name === 'kind');
      classes.set(node.name.text, { code: code < 0 ? null : code, message, remedy });
    });
  }
  for (const name of bases.keys()) {
    let base = name;
    while (bases.has(base)) base = bases.get(base);
    const made = classes.get(base);
    if (made !== undefined) classes.set(name, made);
  }
  return classes;
}

const statusOf = (node) => (node !== undefined && ts.isNumericLiteral(node) ? node.text : null);

/**
 * Every message below a node.
 * @returns {Message[]}
 */
export function messagesIn(root, { shared, classes }) {
  const found = [];
  const file = root.getSourceFile().fileName;
  const add = (text, remedy, more = {}) => {
    const texts = text === undefined ? null : textsOf(text, shared);
    if (texts === null) return;
    const remedies = remedy === undefined || remedy === null ? [] : (textsOf(remedy, shared) ?? []);
    found.push({
      file,
      // Whose first sentence is elsewhere has no words to be found by.
      texts: texts.filter((each) => isSentence(each) && !each.startsWith(`${gap} Nothing was `)),
      remedies: remedies.filter(hasWords),
      code: null,
      status: null,
      ...more,
    });
  };
  const one = (node) => (node === undefined ? null : (textsOf(node, shared)?.[0] ?? null));
  walk(root, (node) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const [first, second, third, fourth] = node.arguments;
      switch (node.expression.text) {
        case 'failed':
        case 'warning':
          if (second !== undefined) add(first, second);
          break;
        case 'refuse':
        case 'refuseInOwnWords':
          add(fourth, null, { code: one(third), status: statusOf(first) });
          break;
        case 'say':
          add(fourth, null, { status: statusOf(second) });
          break;
        case 'bad':
          add(second, null, { status: '400' });
          break;
      }
    }
    if (ts.isNewExpression(node) && node.arguments !== undefined) {
      const made = classes.get(node.expression.getText());
      if (made === undefined) return;
      const at = (index) => (index === null ? undefined : node.arguments[index]);
      add(at(made.message), at(made.remedy), { code: one(at(made.code)) });
    }
    if (ts.isObjectLiteralExpression(node)) {
      const { text, finding, reason, message, remedy, verdict, code, kind, status } = propertiesOf(node);
      const isPassed = verdict !== undefined && ['passed', 'skipped'].includes(one(verdict) ?? '');
      if (finding !== undefined && verdict !== undefined && !isPassed) add(finding, remedy);
      else if (remedy !== undefined && finding === undefined)
        add(text ?? reason ?? message, remedy, { code: one(code ?? kind) });
      else if (message !== undefined && code !== undefined && status !== undefined)
        add(message, null, { code: one(code), status: statusOf(status) });
    }
  });
  return found.filter(({ texts }) => texts.length > 0);
}

/** Words of its own, and not only what the program fills in. @param {string} text */
export const isSentence = (text) => wordCount(text) >= 3;
const hasWords = (text) => wordCount(text) >= 2;
const wordCount = (text) => (text.match(/\p{L}+/gu) ?? []).length;

/**
 * What a client reads: every text that begins with our name, with the status beside it.
 * @returns {Message[]}
 */
export function clientMessagesIn(source, shared) {
  const found = [];
  const visit = (node) => {
    if (ts.isExpression(node) && (isMessage(node) || !ts.isCallExpression(node)) && !ts.isIdentifier(node)) {
      const texts = (textsOf(node, shared) ?? []).filter((text) => text.startsWith('Jumpseat: ') && isSentence(text));
      if (texts.length > 0) {
        found.push({ file: source.fileName, texts, remedies: [], code: null, status: statusBeside(node) });
        return;
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The status in the same call or list. */
function statusBeside(node) {
  const { parent } = node;
  const beside = ts.isCallExpression(parent)
    ? parent.arguments
    : ts.isArrayLiteralExpression(parent)
      ? parent.elements
      : [];
  return statusOf(beside.find((each) => statusOf(each) !== null));
}
