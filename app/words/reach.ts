import type { Problem } from '../api/call.ts';
import type { Reach, WindowState } from '../api/reach.ts';

/** How Copilot is reached, in a few words. */
export const reachNames: Readonly<Record<Reach, string>> = {
  directly: 'directly',
  'through-vscode': 'through VS Code',
};

/** What a person should know before they choose it. */
export const reachFacts: Readonly<Record<Reach, string>> = {
  directly: 'Jumpseat signs in to GitHub and sends requests to Copilot itself.',
  'through-vscode':
    'Jumpseat’s extension in VS Code asks Copilot by VS Code’s public API, and GitHub sees VS Code. Every request is ' +
    'counted as user, the system prompt goes as user text, and Claude doesn’t think there. A window of VS Code has to ' +
    'be open.',
};

/** Shown in place of the program that a request names. */
export const sentThroughVscode = 'VS Code; always counted as user';

/** A sign-in changes nothing of it. */
export const stillThroughVscode: Pick<Problem, 'text' | 'remedy'> = {
  text: 'You’re signed in, but requests go through VS Code.',
  remedy: 'Run "jumpseat reach directly" to use it.',
};

/** Behind the reason of a verdict. */
export const countedByVscode = 'counted as user all the same, as VS Code counts every request';

const open =
  'Open VS Code with Jumpseat’s extension and run “Jumpseat: Enable” there, or reach Copilot directly: Settings → ' +
  'Account, or "jumpseat reach directly".';

/** Why no request would work through VS Code now; null if one would. */
export function windowProblem(window: WindowState): Problem | null {
  switch (window.kind) {
    case 'serving':
      return null;
    case 'unknown':
    case 'absent':
      return {
        code: 'no-window',
        text: 'Requests go through VS Code, and no window of VS Code serves them.',
        remedy: open,
      };
    case 'unsafe':
      return {
        code: 'no-window',
        text: `Requests go through VS Code, and what its extension wrote isn’t trusted: ${window.why}.`,
        remedy: 'Delete vscode.json in Jumpseat’s folder; the extension writes it again within seconds.',
      };
    case 'no-copilot':
      return {
        code: 'no-window',
        text: 'VS Code offers no model of Copilot’s.',
        remedy: 'Sign in to GitHub Copilot in VS Code.',
      };
    case 'no-consent':
      return {
        code: 'no-window',
        text: 'Nobody has allowed Jumpseat’s extension to use Copilot yet.',
        remedy: 'Run “Jumpseat: Enable” in VS Code and press Allow.',
      };
  }
}

/** `through VS Code; its extension 0.1.0 serves at 127.0.0.1:53211`, for a line of a report. */
export function windowWords(window: WindowState): string {
  if (window.kind === 'serving') return `its extension ${window.version} serves at 127.0.0.1:${window.port}`;
  return windowProblem(window)?.text ?? '';
}
