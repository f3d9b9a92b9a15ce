import { existsSync } from 'node:fs';
import { projectLock } from './dependencies.mjs';
import { withLock } from './lock.mjs';
import { step } from './progress.mjs';
import { quiet } from './run.mjs';

/**
 * What Electron, a virtual screen, a keychain and a browser for the dashboard’s tests need on Debian and its kin.
 * Several names: the package was renamed in newer releases.
 */
export const desktopPackages = [
  ['xvfb'],
  ['xauth'],
  ['libgtk-3-0', 'libgtk-3-0t64'],
  ['libnss3'],
  ['libasound2', 'libasound2t64'],
  ['libgbm1'],
  ['libxss1'],
  ['libnotify4'],
  ['libsecret-1-0'],
  ['gnome-keyring'],
  ['dbus'],
  ['dbus-x11'],
  ['chromium', 'chromium-browser'],
  ['chromium-headless-shell', 'chromium-browser'],
];

/** A terminal that tests can type into. */
export const terminalPackages = [['tmux']];

/** What looks for mistakes in the scripts of installers and containers, and in YAML. */
export const lintPackages = [['shellcheck'], ['yamllint']];

/** What the window is written in where the system has no font of its own for it. */
export const pictureFonts = [['fonts-inter']];

/** What pictures in Chinese and Japanese need. */
export const eastAsianFonts = [['fonts-noto-cjk']];

/** Hands and eyes of a trial: mouse and keys, the clipboard, pictures of the screen, and windows that can be moved. */
export const trialPackages = [['xdotool'], ['xclip'], ['scrot'], ['openbox']];

/**
 * Installs the system packages that are missing, where this process may (Debian, root).
 * @param {string[][]} needed
 * @returns {Promise<string | null>} null when everything is there, else what to run by hand
 */
export async function ensureSystemPackages(needed = desktopPackages) {
  if (process.platform !== 'linux' || !existsSync('/etc/debian_version')) return null;
  if ((await missing(needed)).length === 0) return null;
  return withLock(projectLock('system-packages'), async () => {
    const names = await missing(needed);
    if (names.length === 0) return null;
    const byHand =
      'Run: sudo apt-get update && sudo apt-get install -y --no-install-recommends ' +
      `${names.map(([first]) => first).join(' ')}`;
    if (process.getuid?.() !== 0) return byHand;
    return step('Installing the system packages that are missing (first run only)', async () => {
      const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
      await quiet('apt-get', ['update', '-q'], { env });
      const available = await Promise.all(names.map(firstAvailable));
      const { code, output } = await quiet(
        'apt-get',
        ['install', '-y', '-q', '--no-install-recommends', ...available],
        { env },
      );
      return code === 0
        ? null
        : `apt-get install failed:\n${output.trim().split('\n').slice(-5).join('\n')}\n${byHand}`;
    });
  });
}

async function missing(needed) {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query fills these in.
  const { stdout } = await quiet('dpkg-query', ['-W', '-f', '${db:Status-Status} ${Package}\n', ...needed.flat()]);
  const installed = new Set(
    stdout
      .split('\n')
      .filter((line) => line.startsWith('installed '))
      .map((line) => line.slice('installed '.length)),
  );
  return needed.filter((names) => !names.some((name) => installed.has(name)));
}

async function firstAvailable(names) {
  for (const name of names) {
    if ((await quiet('apt-cache', ['show', name])).code === 0) return name;
  }
  return names[0];
}
