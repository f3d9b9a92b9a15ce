import type { Customization, Held, PluginProgram, WhyNot } from '../../../app/api/calls/customizations.ts';
import type { Added } from '../../../app/api/session-surroundings.ts';
import { listed } from '../../../app/language/formats.ts';
import { t } from '../../../app/language/translate.ts';
import { shortFolder } from '../paths.ts';

/** Where it comes from: a folder, a plugin of a marketplace, a command line, an address. */
export function sourceOf(added: Added): string {
  switch (added.kind) {
    case 'folder':
      return shortFolder(added.path);
    case 'plugin':
      return added.id;
    case 'command':
      return [added.command, ...added.args].join(' ');
    case 'address':
      return added.url;
  }
}

/** What it was added for. */
export function scopeOf(folder: string | null): string {
  return folder === null ? t('This session') : t('All sessions in {folder}', { folder: shortFolder(folder) });
}

/** `2 skills and 1 command` */
export function heldWords({ skills, commands, agents, runs }: Held): string {
  const servers = runs.filter(({ kind }) => kind === 'server').length;
  const hooks = runs.filter(({ kind }) => kind === 'hook').length;
  const words = [
    skills.length > 0 && t('{count, plural, one {# skill} other {# skills}}', { count: skills.length }),
    commands.length > 0 && t('{count, plural, one {# command} other {# commands}}', { count: commands.length }),
    agents.length > 0 && t('{count, plural, one {# agent} other {# agents}}', { count: agents.length }),
    hooks > 0 && t('{count, plural, one {# hook} other {# hooks}}', { count: hooks }),
    servers > 0 && t('{count, plural, one {# MCP server} other {# MCP servers}}', { count: servers }),
  ];
  return listed(words.filter((one) => one !== false));
}

/** What runs, and when. */
export function programWords({ kind, name, command }: PluginProgram): string {
  const what = command ?? '…';
  switch (kind) {
    case 'hook':
      return t('Hook {name}: {command}', { name, command: what });
    case 'server':
      return t('MCP server {name}: {command}', { name, command: what });
    case 'language-server':
      return t('Language server {name}: {command}', { name, command: what });
    case 'words':
      return t('{file}: runs commands when it is used', { file: name });
  }
}

/** How it stands in a session. */
export function stateWords({ state }: Pick<Customization, 'state'>): string | null {
  switch (state) {
    case 'off':
      return t('Off');
    case 'next':
      return t('From your next message on');
    case 'loading':
      return t('Loading…');
    case 'loaded':
      return t('Loaded');
    case 'not-loaded':
      return null;
  }
}

export function whyWords({ code, detail }: WhyNot, agent: string, name: string): string {
  switch (code) {
    case 'gone':
      return t('There is no such folder.');
    case 'broken':
      return t('It can’t be read. {detail}', { detail: detail ?? '' });
    case 'empty':
      return t('This folder has no plugin, skills, commands, agents or hooks.');
    case 'marketplace':
      return t('This folder is a marketplace. Choose the folder of one of its plugins: {plugins}', {
        plugins: detail ?? '',
      });
    case 'not-here':
      return t('Its files aren’t on this machine. “{line}” in a terminal fetches them.', {
        line: `claude plugin install ${name}`,
      });
    case 'unknown':
      return t('Claude Code doesn’t know this plugin any more.');
    case 'untrusted':
      return t('You don’t trust its folder.');
    case 'runs-here':
      return t('It runs programs, and you don’t trust the folder of this session. In force… in its menu changes that.');
    case 'name-taken':
      return t('A plugin or server of this name is already loaded.');
    case 'not-by-agent':
      return t('{agent} doesn’t take this.', { agent });
    case 'refused':
      return detail === null ? t('{agent} didn’t load it.', { agent }) : t('{agent} says: {detail}', { agent, detail });
  }
}

/** The words of a command line, of which some may be in quotes. */
export function wordsOfLine(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double?.replace(/\\(["\\])/g, '$1') ?? single ?? plain ?? '',
  );
}
