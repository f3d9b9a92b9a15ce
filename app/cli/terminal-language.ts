import { readFileSync } from 'node:fs';
import { pathsOf } from '../adapters/paths.ts';
import type { Environment } from '../environment.ts';
import { chooseFrontLanguage, inFrontLanguage, showInFront } from '../language/front-language.ts';
import { english, showLanguage, shownLanguage } from '../language/language.ts';
import { type LanguageTag, languageTags } from '../language/languages.ts';
import { rememberSentences } from '../language/remembered.ts';

/*
 * The language of the terminal: JUMPSEAT_LANG, else the setting `language`, else the locale of the terminal. It is
 * chosen before anything is printed, and no catalog is read for English.
 */

/** Their process is the app, whose logs, rows and errors for clients are in English: they print `inFrontLanguage`. */
const serving: readonly (string | undefined)[] = [undefined, 'serve', 'demo', 'acp', 'mcp'];
/** Options whose output is read by programs. */
const forPrograms: readonly string[] = ['--json', '--csv'];

/** Chooses the language of what the command prints. */
export async function chooseTerminalLanguage(args: readonly string[], env: Environment): Promise<void> {
  if (args.some((arg) => forPrograms.includes(arg))) return;
  const wished = env.JUMPSEAT_LANG || settingIn(env) || localeIn(env);
  if (wished === pseudoTag) showInFront((await import('../language/pseudo.ts')).pseudo);
  else await chooseFrontLanguage('system', [tagOf(wished)]);
  const language = inFrontLanguage(shownLanguage);
  if (!serving.includes(args[0])) showLanguage(language);
  // What is wrong about its options is said before the app is there, which remembers its sentences.
  else if (language !== english) rememberSentences();
}

/** Accented English in brackets, for tests. */
const pseudoTag = 'en-XA';

/** The setting as the file has it, because its rules take longer to load than a whole command; null: none is chosen. */
function settingIn(env: Environment): LanguageTag | null {
  try {
    const settings: unknown = JSON.parse(readFileSync(pathsOf(env).settings, 'utf8'));
    const chosen = typeof settings === 'object' && settings !== null && 'language' in settings && settings.language;
    return languageTags.find((tag) => tag === chosen) ?? null;
  } catch {
    return null;
  }
}

/** In POSIX's order. Windows and macOS have a language of the system where no variable says one. */
export function localeIn(env: Environment, platform: NodeJS.Platform = process.platform): string {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG;
  if (locale) return locale;
  return platform === 'win32' || platform === 'darwin' ? new Intl.DateTimeFormat().resolvedOptions().locale : 'C';
}

/** `zh-CN` for `zh_CN.UTF-8`. What a terminal with another encoding can't show stays in English. */
export function tagOf(locale: string): string {
  const [, name = '', encoding = 'utf8'] = /^([^.@]*)(?:\.([^@]*))?/.exec(locale) ?? [];
  if (!/^utf-?8$/i.test(encoding) || name === 'C' || name === 'POSIX') return 'en';
  return name.replaceAll('_', '-');
}
