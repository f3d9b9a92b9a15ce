import type { SignInResult } from '../../app/api/account.ts';
import type { LinesFor } from '../../app/api/setup.ts';
import type { AppState } from '../../app/api/state.ts';
import { inShownLanguage } from '../../app/language/remembered.ts';
import { t, translated } from '../../app/language/translate.ts';
import { declinedSignIn, planName } from '../../app/words/account.ts';
import { linesFirst, takesEffect } from '../../app/words/setup.ts';
import { type CopyShell, shellName } from '../tray/tray-entry.ts';
import { addressOf } from '../tray/tray-icon.ts';
import { noticeOf, type Opens, type SystemNotice } from './notice.ts';

/** How a sign-in from the tray ended; null if the person ended it. */
export function signInNotice(result: SignInResult, state: AppState): SystemNotice | null {
  const answer = (words: () => { title: string; body: string }, opens: Opens = { place: '#/sign-in' }): SystemNotice =>
    noticeOf({ cause: null, opens }, words);
  switch (result.kind) {
    case 'signed-in': {
      const { account } = state;
      if (account.kind === 'signed-in' && account.notice !== null) {
        const { title, message, url } = account.notice;
        const words = () => ({ title: inShownLanguage(title), body: inShownLanguage(message) });
        return answer(words, url === null ? { place: '#/sign-in' } : { url });
      }
      const { login } = result;
      const title = () => (login === null ? t('Signed in to GitHub') : t('Signed in as {login}', { login }));
      return answer(() => ({ title: title(), body: signedInText(state) }), { place: '#/requests' });
    }
    case 'denied':
      return answer(() => ({ title: translated(declinedSignIn.title), body: translated(declinedSignIn.text) }));
    case 'expired':
      return answer(() => ({ title: t('This code has expired.'), body: t('Codes are good for 15 minutes.') }));
    case 'no-storage':
    case 'failed':
      return answer(() => ({ title: inShownLanguage(result.text), body: inShownLanguage(result.remedy) }));
    case 'cancelled':
      return null;
  }
}

function signedInText({ account, proxy }: AppState): string {
  const plan = account.kind === 'signed-in' ? planName(account.plan, account.sku) : null;
  if (proxy.kind !== 'on') return plan === null ? t('The proxy is off.') : t('{plan}. The proxy is off.', { plan });
  const address = addressOf(proxy.baseUrl);
  return plan === null
    ? t('The proxy is on at {address}.', { address })
    : t('{plan}. The proxy is on at {address}.', { plan, address });
}

export function linesCopiedNotice(what: LinesFor, shell: CopyShell): SystemNotice {
  return reported(() => copiedWords(what, shellName(shell)));
}

function copiedWords(what: LinesFor, shell: string): { title: string; body: string } {
  switch (what) {
    case 'claude-code':
      return {
        title: t('Lines for Claude Code copied'),
        body: t('Paste them into {shell}. They hold your local key.', { shell }),
      };
    case 'openai':
      return {
        title: t('Lines for OpenAI clients copied'),
        body: t('Paste them into {shell}. They hold your local key.', { shell }),
      };
    case 'codex':
      return {
        title: t('Key for Codex copied'),
        body: t('Paste it into {shell}, then run {command} there.', { shell, command: 'codex' }),
      };
    case 'codex-config':
      return {
        title: t('Config for Codex copied'),
        body: t('Paste it into {file}. Its key is copied apart from it.', { file: '~/.codex/config.toml' }),
      };
    case 'vscode':
      return {
        title: t('Models for VS Code copied'),
        body: t('Paste them into {file}. They hold your local key.', { file: 'chatLanguageModels.json' }),
      };
    case 'zed':
      return {
        title: t('Models for Zed copied'),
        body: t('Paste them into Zed’s settings.json. No key is in them.'),
      };
    case 'zed-key':
      return {
        title: t('Key for Zed copied'),
        body: t('Paste it into {shell}, then run {command} there.', { shell, command: 'zed' }),
      };
    case 'form':
      return {
        title: t('Address and key copied'),
        body: t('Paste them into the program’s settings. The key is your local key.'),
      };
    case 'mcp':
      return {
        title: t('MCP server for Claude Code copied'),
        body: t('Paste it into {shell}. It holds your local key.', { shell }),
      };
    case 'mcp-codex':
      return {
        title: t('MCP server for Codex copied'),
        body: t('Paste it into {file}. Its key is copied apart from it.', { file: '~/.codex/config.toml' }),
      };
    case 'mcp-zed':
      return {
        title: t('MCP server for Zed copied'),
        body: t('Paste it into Zed’s settings.json. It holds your local key.'),
      };
    case 'acp':
      return {
        title: t('Agent for editors copied'),
        body: t('Set it as the command of your editor’s plugin.'),
      };
    case 'acp-zed':
      return {
        title: t('Agent for Zed copied'),
        body: t('Paste it into Zed’s settings.json.'),
      };
    case 'acp-jetbrains':
      return {
        title: t('Agent for JetBrains copied'),
        body: t('Paste it into {file}.', { file: '~/.jetbrains/acp.json' }),
      };
    case 'docker':
    case 'wsl':
    case 'ssh':
      return { title: t('Commands copied'), body: t('Each says where it is run. No key is in them.') };
    case 'devcontainer':
      return {
        title: t('Lines for dev containers copied'),
        body: t('Paste them into devcontainer.json. No key is in them.'),
      };
  }
}

function reported(words: () => { title: string; body: string }): SystemNotice {
  return noticeOf({ cause: null, opens: null }, words);
}

/** @param isSetup whether Claude Code’s settings lead it to Jumpseat */
export function resumeLineCopiedNotice(isSetup: boolean): SystemNotice {
  return reported(() => ({
    title: t('Line copied'),
    body: isSetup ? t('Paste it into a terminal: the session goes on there.') : linesFirst(),
  }));
}

export function commandInstalledNotice(): SystemNotice {
  return reported(() => ({
    title: t('The command jumpseat is installed'),
    body: t('Run it in a new terminal.'),
  }));
}

export function setupNotice(): SystemNotice {
  return reported(() => ({ title: t('Claude Code set up'), body: translated(takesEffect) }));
}

export function undoneNotice({ length: count }: readonly string[]): SystemNotice {
  return reported(() => ({
    title: t('Claude Code setup undone'),
    body:
      count === 0
        ? translated(takesEffect)
        : t(
            '{count, plural, one {# key now has another value. It was left alone; the rest was undone.} other {# keys now have other values. They were left alone; the rest was undone.}}',
            { count },
          ),
  }));
}

export function updateNotice(version: string): SystemNotice {
  return noticeOf({ cause: `update-${version}`, opens: { place: '#/settings/about' } }, () => ({
    title: t('Jumpseat {version} is ready', { version }),
    body: t('Restart to update.'),
  }));
}

/** For a change by another program, or by hand. */
export function settingsChangedNotice(how: 'changed' | 'removed'): SystemNotice {
  return noticeOf({ cause: 'claude-code-settings', opens: { place: '#/health' } }, () => ({
    title: t('Claude Code no longer uses Jumpseat'),
    body: t('ANTHROPIC_BASE_URL in settings.json was {how, select, changed {changed} other {removed}}.', { how }),
  }));
}

export function keepsRunningNotice(platform: NodeJS.Platform): SystemNotice {
  return reported(() => ({
    title: t('Jumpseat keeps running'),
    body:
      platform === 'win32'
        ? t('Find it in the tray. On Windows, drag it out of the overflow to keep it in view.')
        : t('Find it in the tray.'),
  }));
}

export function noTrayNotice(): SystemNotice {
  return reported(() => ({
    title: t('This desktop shows no tray'),
    body: t('Everything works from the window. Start Jumpseat again to see it.'),
  }));
}
