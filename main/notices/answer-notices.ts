import type { SignInResult } from '../../app/api/account.ts';
import type { LinesFor } from '../../app/api/setup.ts';
import type { AppState } from '../../app/api/state.ts';
import { declinedSignIn, planName } from '../../app/words/account.ts';
import { takesEffect } from '../../app/words/setup.ts';
import { addressOf } from '../tray/tray-icon.ts';
import type { Opens, SystemNotice } from './notice.ts';

/** How a sign-in from the tray ended; null if the person ended it. */
export function signInNotice(result: SignInResult, state: AppState): SystemNotice | null {
  const answer = (title: string, body: string, opens: Opens = { place: '#/sign-in' }): SystemNotice => ({
    cause: null,
    title,
    body,
    opens,
  });
  switch (result.kind) {
    case 'signed-in': {
      const { account, proxy } = state;
      if (account.kind === 'signed-in' && account.notice !== null) {
        const { title, message, url } = account.notice;
        return answer(title, message, url === null ? { place: '#/sign-in' } : { url });
      }
      const plan = account.kind === 'signed-in' ? planName(account.plan, account.sku) : null;
      const proxySentence =
        proxy.kind === 'on' ? `The proxy is on at ${addressOf(proxy.baseUrl)}.` : 'The proxy is off.';
      return answer(
        result.login === null ? 'Signed in to GitHub' : `Signed in as ${result.login}`,
        plan === null ? proxySentence : `${plan}. ${proxySentence}`,
        { place: '#/requests' },
      );
    }
    case 'denied':
      return answer(declinedSignIn.title, declinedSignIn.text);
    case 'expired':
      return answer('This code has expired.', 'Codes are good for 15 minutes.');
    case 'no-storage':
    case 'failed':
      return answer(result.text, result.remedy);
    case 'cancelled':
      return null;
  }
}

/** @param shell its name as the menu has it */
export function linesCopiedNotice(what: LinesFor, shell: string): SystemNotice {
  const paste = `Paste them into ${shell}. They hold your local key.`;
  switch (what) {
    case 'claude-code':
      return reported('Lines for Claude Code copied', paste);
    case 'openai':
      return reported('Lines for OpenAI clients copied', paste);
    case 'codex':
      return reported('Key for Codex copied', `Paste it into ${shell}, then run codex there.`);
    case 'codex-config':
      return reported(
        'Config for Codex copied',
        'Paste it into ~/.codex/config.toml. Its key is copied apart from it.',
      );
    case 'vscode':
      return reported(
        'Models for VS Code copied',
        'Paste them into chatLanguageModels.json. They hold your local key.',
      );
    case 'zed':
      return reported('Models for Zed copied', 'Paste them into Zed’s settings.json. No key is in them.');
    case 'zed-key':
      return reported('Key for Zed copied', `Paste it into ${shell}, then run zed there.`);
    case 'form':
      return reported('Address and key copied', 'Paste them into the program’s settings. The key is your local key.');
    case 'mcp':
      return reported('MCP server for Claude Code copied', `Paste it into ${shell}. It holds your local key.`);
    case 'mcp-codex':
      return reported(
        'MCP server for Codex copied',
        'Paste it into ~/.codex/config.toml. Its key is copied apart from it.',
      );
    case 'mcp-zed':
      return reported('MCP server for Zed copied', 'Paste it into Zed’s settings.json. It holds your local key.');
    case 'acp':
      return reported('Agent for editors copied', 'Set it as the command of your editor’s plugin.');
    case 'acp-zed':
      return reported('Agent for Zed copied', 'Paste it into Zed’s settings.json.');
    case 'acp-jetbrains':
      return reported('Agent for JetBrains copied', 'Paste it into ~/.jetbrains/acp.json.');
    case 'docker':
    case 'wsl':
    case 'ssh':
      return reported('Commands copied', 'Each says where it is run. No key is in them.');
    case 'devcontainer':
      return reported('Lines for dev containers copied', 'Paste them into devcontainer.json. No key is in them.');
  }
}

function reported(title: string, body: string): SystemNotice {
  return { cause: null, title, body, opens: null };
}

export const commandInstalledNotice = reported('The command jumpseat is installed', 'Run it in a new terminal.');

export const setupNotice: SystemNotice = {
  cause: null,
  title: 'Claude Code set up',
  body: takesEffect,
  opens: null,
};

export function undoneNotice(left: readonly string[]): SystemNotice {
  const many = `${left.length} keys now have other values. They were`;
  const kept = left.length === 1 ? '1 key now has another value. It was' : many;
  const body = left.length === 0 ? takesEffect : `${kept} left alone; the rest was undone.`;
  return { cause: null, title: 'Claude Code setup undone', body, opens: null };
}

export function updateNotice(version: string): SystemNotice {
  return {
    cause: `update-${version}`,
    title: `Jumpseat ${version} is ready`,
    body: 'Restart to update.',
    opens: { place: '#/settings/about' },
  };
}

/** For a change by another program, or by hand. */
export function settingsChangedNotice(how: 'changed' | 'removed'): SystemNotice {
  return {
    cause: 'claude-code-settings',
    title: 'Claude Code no longer uses Jumpseat',
    body: `ANTHROPIC_BASE_URL in settings.json was ${how}.`,
    opens: { place: '#/health' },
  };
}

export function keepsRunningNotice(platform: NodeJS.Platform): SystemNotice {
  const where = platform === 'win32' ? ' On Windows, drag it out of the overflow to keep it in view.' : '';
  return { cause: null, title: 'Jumpseat keeps running', body: `Find it in the tray.${where}`, opens: null };
}

export const noTrayNotice: SystemNotice = {
  cause: null,
  title: 'This desktop shows no tray',
  body: 'Everything works from the window. Start Jumpseat again to see it.',
  opens: null,
};
