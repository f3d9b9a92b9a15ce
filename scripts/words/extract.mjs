import { parse, TYPE } from '@formatjs/icu-messageformat-parser';
import ts from 'typescript';

/** The functions whose first argument is a message, by the files that export them. */
const takers = [
  { file: /\/language\/translate\.ts$/, names: ['t', 'richParts'] },
  { file: /\/language\/messages\.ts$/, names: ['msg'] },
  { file: /\/rich\.tsx$/, names: ['rich'] },
];

/** They pass on what they are given. */
const carriers = ['app/language/translate.ts', 'renderer/parts/rich.tsx'];

/**
 * @typedef {{ place: string, text: string | null, context: string | null, faults: string[] }} Found
 * @param {string} path
 * @param {string} source
 * @returns {Found[]}
 */
export function messagesIn(path, source) {
  if (carriers.includes(path) || !/\/(?:language\/|rich\.tsx)/.test(source)) return [];
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const functions = importedTakers(file);
  if (functions.size === 0) return [];
  const found = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && functions.has(node.expression.text)) {
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      found.push({ place: `${path}:${line}`, ...messageOf(node, functions.get(node.expression.text)) });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The name of a message in the catalogs. @param {Pick<Found, 'text' | 'context'>} found */
export const nameOf = ({ text, context }) => (context === null ? text : `${text} ⟨${context}⟩`);

/** What a catalog of a language lacks or has too much. @param {string} file @param {Record<string, string>} catalog */
export function catalogFaults(file, catalog, names) {
  return [
    ...names.filter((name) => !(name in catalog)).map((name) => `${file} lacks a translation: ${name}`),
    ...Object.keys(catalog)
      .filter((name) => !names.includes(name))
      .map((name) => `${file} translates what no source says; remove it: ${name}`),
    ...names
      .filter((name) => name in catalog)
      .flatMap((name) => translationFaults(name, catalog[name]).map((fault) => `${file} ${fault}: ${name}`)),
  ];
}

function translationFaults(name, translation) {
  const original = valuesOf(name.replace(/ ⟨[^⟩]*⟩$/, ''));
  let values;
  try {
    values = valuesOf(translation);
  } catch (error) {
    return [`has a translation that is no ICU message (${error.message})`];
  }
  const missing = [...original].filter((value) => !values.has(value));
  const unknown = [...values].filter((value) => !original.has(value));
  return [
    ...(missing.length > 0 ? [`leaves out {${missing.join('}, {')}} in the translation of`] : []),
    ...(unknown.length > 0 ? [`has {${unknown.join('}, {')}}, which its message lacks, in the translation of`] : []),
  ];
}

function importedTakers(file) {
  const functions = new Map();
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (!bindings || !ts.isNamedImports(bindings)) continue;
    for (const { file: from, names } of takers) {
      if (!from.test(statement.moduleSpecifier.text)) continue;
      for (const { name, propertyName } of bindings.elements) {
        const own = (propertyName ?? name).text;
        if (names.includes(own)) functions.set(name.text, own);
      }
    }
  }
  return functions;
}

function messageOf(call, taker) {
  const [first, second, third] = call.arguments;
  const text = first === undefined ? null : literalOf(first);
  const context = third === undefined ? null : literalOf(third);
  const nothing = { text: null, context: null };
  if (text === null)
    return {
      ...nothing,
      faults: [
        'computes a message: write it out, with {name} for what is put in, or mark it with msg in its table and ' +
          'call translated.',
      ],
    };
  if (third !== undefined && context === null)
    return { ...nothing, faults: ['computes the context of a message: write it out.'] };
  let values;
  try {
    values = valuesOf(text);
  } catch (error) {
    return { ...nothing, faults: [`has a message that is no ICU message (${error.message}): ${text}`] };
  }
  const faults = [];
  if (text !== text.trim())
    faults.push(`has a message with blanks at its end: write the whole sentence as one message: ${text}`);
  if (/[⟨⟩⟦⟧]/.test(text + (context ?? ''))) faults.push(`has brackets that catalogs use themselves: ${text}`);
  if (taker === 'msg' && values.size > 0)
    faults.push(`marks a message with values, which translated can’t put in: ${text}`);
  if (taker !== 'msg') faults.push(...valueFaults(second, values, text));
  return { text, context, faults };
}

/** Whether the call gives the values that the message puts in. */
function valueFaults(given, values, text) {
  if (given === undefined && values.size === 0) return [];
  if (given !== undefined && !ts.isObjectLiteralExpression(given))
    return [`gives the values of a message as a variable: write { name } with each name: ${text}`];
  const names = new Set(given?.properties.map((property) => property.name?.getText() ?? '…') ?? []);
  const missing = [...values].filter((name) => !names.has(name));
  const unknown = [...names].filter((name) => !values.has(name));
  return [
    ...(missing.length > 0 ? [`doesn’t give {${missing.join('}, {')}} to its message: ${text}`] : []),
    ...(unknown.length > 0 ? [`gives {${unknown.join('}, {')}}, which its message doesn’t have: ${text}`] : []),
  ];
}

/** A text that is written out, in one literal or several joined ones. */
function literalOf(node) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isParenthesizedExpression(node)) return literalOf(node.expression);
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return null;
  const sides = [literalOf(node.left), literalOf(node.right)];
  return sides.includes(null) ? null : sides.join('');
}

/** Names of the values and tags of a message. @param {string} text */
function valuesOf(text) {
  const names = new Set();
  const visit = (parts) => {
    for (const part of parts) {
      if (part.type === TYPE.literal || part.type === TYPE.pound) continue;
      names.add(part.value);
      if (part.type === TYPE.tag) visit(part.children);
      if (part.type === TYPE.plural || part.type === TYPE.select)
        for (const { value } of Object.values(part.options)) visit(value);
    }
  };
  visit(parse(text));
  return names;
}
