import { createJavaScriptRegexEngine } from '@shikijs/engine-javascript';
import {
  codeToTokensWithThemes,
  createShikiPrimitive,
  getLastGrammarStateFromMap,
  type LanguageRegistration,
  type ShikiPrimitive,
} from '@shikijs/primitive';
import dark from '@shikijs/themes/github-dark-high-contrast';
import light from '@shikijs/themes/github-light-high-contrast';
import type { Coloured, Language } from './highlight-languages.ts';

type Load = () => Promise<{ default: LanguageRegistration[] }>;

/** Each is a file of its own, loaded when the first code of it is shown. */
const loads: Readonly<Record<Language, Load>> = {
  bash: () => import('@shikijs/langs/bash'),
  c: () => import('@shikijs/langs/c'),
  cpp: () => import('@shikijs/langs/cpp'),
  csharp: () => import('@shikijs/langs/csharp'),
  css: () => import('@shikijs/langs/css'),
  diff: () => import('@shikijs/langs/diff'),
  docker: () => import('@shikijs/langs/docker'),
  go: () => import('@shikijs/langs/go'),
  html: () => import('@shikijs/langs/html'),
  ini: () => import('@shikijs/langs/ini'),
  java: () => import('@shikijs/langs/java'),
  javascript: () => import('@shikijs/langs/javascript'),
  json: () => import('@shikijs/langs/json'),
  kotlin: () => import('@shikijs/langs/kotlin'),
  markdown: () => import('@shikijs/langs/markdown'),
  php: () => import('@shikijs/langs/php'),
  powershell: () => import('@shikijs/langs/powershell'),
  python: () => import('@shikijs/langs/python'),
  ruby: () => import('@shikijs/langs/ruby'),
  rust: () => import('@shikijs/langs/rust'),
  sql: () => import('@shikijs/langs/sql'),
  swift: () => import('@shikijs/langs/swift'),
  typescript: () => import('@shikijs/langs/typescript'),
  tsx: () => import('@shikijs/langs/tsx'),
  xml: () => import('@shikijs/langs/xml'),
  yaml: () => import('@shikijs/langs/yaml'),
};

/** More is not coloured. */
const mostCharacters = 60_000;
const mostLineLength = 1_000;
/** The first line of a language takes long on a busy machine: its patterns are compiled. Cut off, it has one colour. */
const mostLineMs = 3_000;
/** Small enough that no slice blocks the window. */
const linesAtOnce = 20;

let shiki: ShikiPrimitive | null = null;
const loaded = new Map<Language, Promise<void>>();

/** Lines of a code with colours; null if it is too long, or was cancelled. */
export async function highlight(text: string, language: Language, signal: AbortSignal): Promise<Coloured[] | null> {
  if (text.length > mostCharacters) return null;
  shiki ??= createShikiPrimitive({
    themes: [light, dark],
    langs: [],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const primitive = shiki;
  const ready =
    loaded.get(language) ?? loads[language]().then(({ default: grammar }) => primitive.loadLanguageSync(grammar));
  loaded.set(language, ready);
  await ready;
  const options = {
    lang: language,
    themes: { light: light.name ?? '', dark: dark.name ?? '' },
    tokenizeMaxLineLength: mostLineLength,
    tokenizeTimeLimit: mostLineMs,
  };
  const lines = text.split('\n');
  const coloured: Coloured[] = [];
  let state: ReturnType<typeof getLastGrammarStateFromMap>;
  state = undefined;
  for (let from = 0; from < lines.length; from += linesAtOnce) {
    await idle();
    if (signal.aborted) return null;
    const slice = lines.slice(from, from + linesAtOnce).join('\n');
    const tokens = codeToTokensWithThemes(primitive, slice, {
      ...options,
      ...(state === undefined ? {} : { grammarState: state }),
    });
    state = getLastGrammarStateFromMap(tokens);
    for (const line of tokens) {
      coloured.push(
        line.map(({ content, variants }) => ({
          content,
          light: variants.light?.color ?? 'inherit',
          dark: variants.dark?.color ?? 'inherit',
        })),
      );
    }
  }
  return coloured;
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: 500 });
    else setTimeout(resolve, 0);
  });
}
