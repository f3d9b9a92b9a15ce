/** A piece of a line with its colour in both themes. */
export type Coloured = readonly { content: string; light: string; dark: string }[];

const languages = {
  bash: ['sh', 'shell', 'zsh', 'console', 'shellscript', 'shell-session'],
  c: ['h'],
  cpp: ['c++', 'cc', 'hpp', 'cxx'],
  csharp: ['cs', 'c#'],
  css: [],
  diff: ['patch'],
  docker: ['dockerfile'],
  go: ['golang'],
  html: ['htm'],
  ini: ['toml', 'conf', 'properties'],
  java: [],
  javascript: ['js', 'mjs', 'cjs', 'jsx'],
  json: ['jsonc', 'json5', 'jsonl'],
  kotlin: ['kt'],
  markdown: ['md'],
  php: [],
  powershell: ['ps1'],
  python: ['py'],
  ruby: ['rb'],
  rust: ['rs'],
  sql: [],
  swift: [],
  typescript: ['ts', 'mts', 'cts'],
  tsx: [],
  xml: ['svg'],
  yaml: ['yml'],
} as const;

export type Language = keyof typeof languages;

export interface HighlightInput {
  text: string;
  language: Language;
}

const byName = new Map<string, Language>();
for (const [language, aliases] of Object.entries(languages)) {
  for (const name of [language, ...aliases]) byName.set(name, language as Language);
}

/** Null if it stays without colours. */
export function languageFor(name: string | null): Language | null {
  return name === null ? null : (byName.get(name.toLowerCase()) ?? null);
}
