import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import ts from 'typescript';
import { inProject, root } from '../lib/project.mjs';
import { merged } from './message-pages.mjs';
import {
  clientMessagesIn,
  errorClasses,
  functionNamed,
  messagesIn,
  parsed,
  propertiesOf,
  sharedTexts,
  textsOf,
  walk,
} from './source-messages.mjs';

/**
 * The headings of docs/troubleshooting: each message of the product in its exact words. Part of `npm run check`, which
 * fails where pages and sources differ; `node scripts/docs/troubleshooting.mjs --write` writes the headings and keeps
 * what was written below them by hand.
 */
const files = execFileSync('git', ['ls-files', '--', 'app/*.ts', 'main/*.ts'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !file.startsWith('app/simulator/') && existsSync(inProject(file)));
const sources = files.map(parsed);
const known = { shared: sharedTexts(sources), classes: errorClasses(sources) };
const sourceOf = (file) => sources.find(({ fileName }) => fileName === file);
const below = (...folders) =>
  sources.filter(({ fileName }) => folders.some((each) => fileName === each || fileName.startsWith(`${each}/`)));

/** One entry for each text. @param {import('./source-messages.mjs').Message[]} messages */
function entries(messages) {
  return messages.flatMap(({ texts, remedies, code, status }) =>
    texts.map((heading, index) => ({
      heading,
      code: code === null || code.includes('…') ? null : code,
      status,
      remedies: remedies.length === texts.length ? [remedies[index]] : remedies,
    })),
  );
}

const problems = (...folders) =>
  entries(below(...folders).flatMap((source) => messagesIn(source, known))).filter(
    ({ heading }) => !heading.startsWith('Jumpseat: '),
  );

/** `{ title, entries }` for each check, from the list of checks and the functions that they name. */
function checkSections() {
  const rooms = below('app/health', 'app/claude-code/checks.ts');
  const declared = (name) => rooms.map((source) => functionNamed(source, name)).find((found) => found !== null) ?? null;
  /** Functions that are called, or handed to a wrapper. */
  const reached = (node, seen = new Set()) => {
    walk(node, (each) => {
      const isUsed = ts.isIdentifier(each) && (each === node || isCalled(each) || isHandedOn(each));
      const found = isUsed ? declared(each.text) : null;
      if (found === null || seen.has(found) || wrappers.has(each.text)) return;
      seen.add(found);
      reached(found, seen);
    });
    return seen;
  };
  const claudeCode = (id) =>
    sourceOf('app/claude-code/checks.ts').statements.filter(
      (each) => ts.isFunctionDeclaration(each) && each.getText().includes(`id: '${id}'`),
    );
  const sections = [];
  walk(sourceOf('app/health/checks.ts'), (node) => {
    if (!ts.isObjectLiteralExpression(node)) return;
    const { id, title, find } = propertiesOf(node);
    if (id === undefined || title === undefined || find === undefined) return;
    const functions = new Set([...reached(find), ...claudeCode(id.text)]);
    for (const each of claudeCode(id.text)) for (const helper of reached(each)) functions.add(helper);
    const found = [...functions].flatMap((each) => messagesIn(each, known));
    const [heading] = textsOf(title, known.shared) ?? [];
    sections.push({ title: heading, id: id.text, entries: entries(found) });
  });
  sections.push({
    title: 'Open files',
    id: 'machine.files',
    entries: entries(messagesIn(sourceOf('app/server/open-files.ts'), known)),
  });
  sections.push({
    title: 'Tray',
    id: 'machine.tray',
    entries: entries(messagesIn(functionNamed(sourceOf('main/tray/tray-host.ts'), 'trayFinding'), known)),
  });
  const all = entries(messagesIn(functionNamed(sourceOf('app/health/checks.ts'), 'checked'), known));
  return [...sections, { title: 'Any check', id: null, entries: all }];
}

const isCalled = (node) => ts.isCallExpression(node.parent) && node.parent.expression === node;
const isHandedOn = ({ parent }) => ts.isCallExpression(parent) && wrappers.has(parent.expression.getText());

/** Functions that say who is asked, not what is found. */
const wrappers = new Set(['directly', 'withToken', 'ofClaudeCode', 'isThroughVscode', 'checked', 'checkEverything']);

/** The tables of app/words/failures.ts: what the log says for each code. */
function logSections() {
  const source = sourceOf('app/words/failures.ts');
  const titles = {
    networkReasons: 'Network',
    githubWords: 'GitHub',
    ownWords: 'Jumpseat',
    vscodeWords: 'VS Code',
    copilotWords: 'Copilot',
  };
  return Object.entries(titles).map(([name, who]) => {
    let table = null;
    walk(source, (node) => {
      if (ts.isVariableDeclaration(node) && node.name.getText() === name) table = node.initializer;
    });
    if (table === null) throw new Error(`app/words/failures.ts has no table ${name}.`);
    const found = Object.entries(propertiesOf(table)).map(([key, value]) => {
      const [words] = textsOf(value, known.shared) ?? [''];
      const inSentence = `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
      const heading = name === 'networkReasons' ? `No connection: ${inSentence}` : words;
      return { heading, code: key.replace(/^'|'$/g, ''), status: null, remedies: [] };
    });
    return { title: `In the log: ${who}`, id: null, entries: [...found, ...(statuses[name] ?? [])] };
  });
}

/** What is said without the table: of a status alone, and of an answer that did not come or not to its end. */
const statuses = {
  networkReasons: (() => {
    const found = [];
    walk(functionNamed(parsed('app/words/failures.ts'), 'networkWords'), (node) => {
      if (!ts.isIfStatement(node) || !ts.isBinaryExpression(node.expression)) return;
      const { right } = node.expression;
      const returned = ts.isReturnStatement(node.thenStatement) ? node.thenStatement.expression : undefined;
      if (!ts.isStringLiteral(right) || returned === undefined) return;
      const [heading] = textsOf(returned, known.shared) ?? [];
      if (heading !== undefined) found.push({ heading, code: right.text, status: null, remedies: [] });
    });
    return found;
  })(),
  copilotWords: (() => {
    const found = [];
    const source = parsed('app/words/failures.ts');
    walk(functionNamed(source, 'statusWords'), (node) => {
      if (!ts.isCaseClause(node)) return;
      const returned = node.statements.find(ts.isReturnStatement);
      const [heading] = returned === undefined ? [] : (textsOf(returned.expression, known.shared) ?? []);
      if (heading !== undefined) found.push({ heading, code: null, status: node.expression.getText(), remedies: [] });
    });
    return found;
  })(),
};

const pages = {
  'health.md': checkSections(),
  'errors.md': [
    ...logSections(),
    {
      title: 'What a client reads',
      id: null,
      entries: entries(
        below('app/server', 'app/exchange', 'app/copilot', 'app/search').flatMap((source) =>
          clientMessagesIn(source, known.shared),
        ),
      ),
    },
    { title: 'Sentences that Claude Code acts on', id: null, entries: wordForWord() },
    {
      title: 'Why a model is not there',
      id: null,
      entries: problems('app/exchange/model/absence.ts').filter(({ code }) => code !== 'here'),
    },
  ],
  'sign-in.md': [
    { title: 'Sign-in and account', id: null, entries: problems('app/account', 'app/sign-in', 'app/words/account.ts') },
    { title: 'Keychain and files of secrets', id: null, entries: problems('app/adapters') },
    { title: 'Through VS Code', id: null, entries: problems('app/words/reach.ts', 'app/through-vscode') },
  ],
  'start.md': [
    { title: 'Proxy and port', id: null, entries: problems('app/server') },
    {
      title: 'Settings and variables',
      id: null,
      entries: problems('app/settings', 'app/environment.ts', 'app/variables-under-policy.ts'),
    },
    { title: 'Databases', id: null, entries: problems('app/database', 'app/history') },
    { title: 'Commands', id: null, entries: problems('app/cli') },
    { title: 'Window and tray', id: null, entries: [...problems('main', 'app/words/opening.ts'), ...pageTitles()] },
  ],
  'clients.md': [
    {
      title: 'Setup of Claude Code',
      id: null,
      entries: problems('app/claude-code/setup', 'app/claude-code/setups.ts', 'app/claude-code/settings-file.ts'),
    },
    { title: 'Model overrides', id: null, entries: problems('app/exchange/model/change-override.ts') },
    { title: 'Web search', id: null, entries: problems('app/search', 'app/words/search.ts', 'app/exchange/features') },
    { title: 'Pages (`web_fetch`)', id: null, entries: problems('app/web') },
  ],
  'sessions.md': [
    { title: 'Turns', id: null, entries: turnFailures() },
    {
      title: 'Messages, questions and choices',
      id: null,
      entries: problems(
        'app/sessions/host',
        'app/sessions/session',
        'app/sessions/turns',
        'app/sessions/questions',
        'app/sessions/running',
        'app/sessions/make-host.ts',
        'app/sessions/store',
      ),
    },
    { title: 'Edits', id: null, entries: problems('app/sessions/edits', 'app/sessions/folders') },
    { title: 'Worktrees', id: null, entries: problems('app/sessions/worktrees') },
    { title: 'Programs of agents', id: null, entries: problems('app/sessions/agents', 'app/packages') },
    { title: 'Editors', id: null, entries: problems('app/sessions/acp') },
  ],
};

/** Sentences that go to Claude Code alone, without our name before them. */
function wordForWord() {
  const found = ['app/exchange/recover/refusals.ts', 'app/exchange/fits/fields.ts'].flatMap((file) =>
    messagesIn(sourceOf(file), known),
  );
  return entries(found).filter(({ heading }) => /^(?:capability_rejected|safeguards|prompt is too long)/.test(heading));
}

/** What a page of the dashboard says in its title, where it is none of the window's. */
function pageTitles() {
  const found = [];
  walk(sourceOf('app/server/dashboard-routes.ts'), (node) => {
    const heading = ts.isStringLiteralLike(node) ? /^<h1>(.+)<\/h1>$/.exec(node.text)?.[1] : undefined;
    if (heading !== undefined) found.push({ heading, code: null, status: null, remedies: [] });
  });
  return found;
}

/** What is said of a turn that failed. */
function turnFailures() {
  const found = [];
  walk(functionNamed(sourceOf('app/words/failures.ts'), 'turnFailureWords'), (node) => {
    if (!ts.isCaseClause(node)) return;
    walk(node, (each) => {
      if (!ts.isObjectLiteralExpression(each)) return;
      const { what } = propertiesOf(each);
      // The values of a message are an object, too.
      if (what === undefined) return;
      for (const heading of textsOf(what, known.shared) ?? [])
        found.push({ heading, code: node.expression.text, status: null, remedies: [] });
    });
  });
  return found;
}

for (const [name, sections] of Object.entries(pages)) {
  const path = inProject('docs', 'troubleshooting', name);
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const { text, missing } = merged(before, sections);
  if (process.argv.includes('--write')) writeFileSync(path, text);
  else if (before !== text || missing !== '') {
    process.exitCode = 1;
    console.log(`docs/troubleshooting/${name} differs from the messages in the sources${missing}.`);
    console.log('Run "node scripts/docs/troubleshooting.mjs --write", and read what stands below the new headings.');
  }
}
