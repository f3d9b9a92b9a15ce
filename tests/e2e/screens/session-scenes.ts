import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import type { ChromiumWindow, WindowOptions } from '../chromium-window.ts';
import type { Play } from '../sessions-stage/play.ts';
import { plays } from '../sessions-stage/plays.ts';
import { Stage } from '../sessions-stage/stage.ts';
import { dayOfWork, retries, withTime } from './day-of-work.ts';
import { now } from './fixed-time.ts';
import type { Scene } from './scenes.ts';

type Look = NonNullable<WindowOptions['context']>;

const light: Look = { colorScheme: 'light' };
const dark: Look = { colorScheme: 'dark' };
const small: Look = { viewport: { width: 720, height: 480 } };
/** What a window of 1200 × 800 has left at 200 %. */
const zoomed: Look = { viewport: { width: 600, height: 400 }, deviceScaleFactor: 2 };

interface SessionLook {
  name: string;
  /** The session that is open in it; null: none is. */
  play: string | null;
  context: Look;
  /** Once that is in sight. */
  act?: (window: ChromiumWindow) => Promise<unknown>;
}

const looks: SessionLook[] = [
  { name: 'light', play: 'one that writes', context: light },
  { name: 'dark', play: 'one that writes', context: dark },
  { name: 'done-light', play: 'one that is done and seen', context: light },
  { name: 'command-light', play: 'a question about a command', context: light },
  { name: 'edit-dark', play: 'a question about an edit', context: dark },
  { name: 'several-light', play: 'several questions', context: light },
  { name: 'choices-dark', play: 'questions with choices', context: dark },
  { name: 'plan-light', play: 'a plan', context: light },
  { name: 'queue-dark', play: 'one with tasks, steered and queued', context: dark },
  { name: 'subagents-light', play: 'one with subagents', context: light },
  { name: 'stopped-dark', play: 'one whose process ended', context: dark },
  { name: 'terminal-light', play: 'one in a terminal', context: light },
  { name: 'forced-colors', play: 'one that writes', context: { colorScheme: 'dark', forcedColors: 'active' } },
  { name: 'list-720x480', play: null, context: { ...small, ...light } },
  { name: '720x480', play: 'one that is done and seen', context: { ...small, ...light } },
  { name: 'question-720x480', play: 'a question about a command', context: { ...small, ...dark } },
  { name: 'zoom-200', play: 'a question about an edit', context: { ...zoomed, ...light } },
  { name: 'changes-light', play: 'one that is done and seen', context: light, act: changes },
  { name: 'refused-720x480', play: 'one that Copilot refused', context: { ...small, ...dark } },
  { name: 'permissions-720x480', play: 'one that is done and seen', context: { ...small, ...dark }, act: permissions },
  { name: 'never-ask-720x480', play: 'one that is done and seen', context: { ...small, ...dark }, act: neverAsk },
  { name: 'undo-720x480', play: 'one that is done and seen', context: { ...small, ...light }, act: undo },
  { name: 'search-720x480', play: null, context: { ...small, ...light }, act: search },
  { name: 'new-dark', play: 'one that is done and seen', context: dark, act: begin },
  { name: 'review-dark', play: 'one that is done and seen', context: dark, act: review },
  { name: 'customizations-light', play: 'one that is done and seen', context: light, act: customizations },
  {
    name: 'customizations-720x480',
    play: 'one that is done and seen',
    context: { ...small, ...dark },
    act: customizations,
  },
  { name: 'templates-dark', play: 'one that is done and seen', context: dark, act: templates },
  { name: 'templates-720x480', play: 'one that is done and seen', context: { ...small, ...light }, act: templates },
  { name: 'worktree-light', play: 'one that is done and seen', context: light, act: worktree },
  { name: 'signed-out-720x480', play: 'one that is done and seen', context: { ...small, ...light }, act: signOut },
];

async function changes({ page }: ChromiumWindow): Promise<void> {
  await page.getByRole('button', { name: /^1 file / }).click();
  await page
    .getByTestId(/^change-/)
    .getByRole('button')
    .first()
    .click();
  await page.getByTestId('changes').locator('.text_patch').waitFor();
}

async function review(window: ChromiumWindow): Promise<void> {
  const { page } = window;
  await changes(window);
  await page.getByRole('button', { name: 'Comment on line 1, added' }).first().click();
  await page.getByRole('textbox', { name: 'Comment on line 1' }).fill('Say in a sentence when this is tried again.');
}

/** A plugin that is in force with the next message, and one whose folder is gone. */
async function customizations({ page, stack }: ChromiumWindow): Promise<void> {
  const session = openSession(page);
  for (const name of ['parcels', 'reviews']) {
    const folder = join(homedir(), 'plugins', name);
    const write = (path: string, content: string): void => {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    };
    write('.claude-plugin/plugin.json', JSON.stringify({ name, version: '1.2.0', description: `Knows our ${name}.` }));
    write('commands/check.md', 'Check it.\n');
    write('skills/ship/SKILL.md', '---\nname: ship\n---\nShip it.\n');
    const added = { kind: 'folder', path: folder } as const;
    const scope = name === 'parcels' ? 'session' : 'folder';
    await stack.app.addCustomization({ session, scope, added, trust: true });
  }
  rmSync(join(homedir(), 'plugins', 'reviews'), { recursive: true });
  await page.getByRole('button', { name: 'Session actions' }).click();
  await page.getByRole('menuitem', { name: 'Customizations…' }).click();
  await page.getByRole('dialog').getByText('There is no such folder.').waitFor();
}

async function templates({ page, stack }: ChromiumWindow): Promise<void> {
  const session = openSession(page);
  const kept = [
    ['all', 'leaks', 'Review {{file}} for what is opened and never closed.'],
    ['folder', 'delivery', 'Explain how a delivery of this kind is tried again: {{kind}}'],
  ] as const;
  for (const [scope, name, raw] of kept) {
    const { files } = await stack.app.templates(session);
    if (!files.some((file) => file.name === name))
      await stack.app.writeTemplate({ session, scope, name, raw, replaces: null });
  }
  await page.keyboard.press('Control+Shift+E');
  await page.getByRole('dialog', { name: 'Templates' }).getByRole('listitem', { name: 'leaks' }).waitFor();
}

async function worktree({ page, stack }: ChromiumWindow): Promise<void> {
  const { cwd: folder } = await stack.app.session(openSession(page));
  execFileSync('git', ['-C', folder, 'init', '-q', '-b', 'main']);
  const ada = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  execFileSync('git', ['-C', folder, ...ada, 'commit', '-q', '--allow-empty', '-m', 'One']);
  await page.getByRole('button', { name: 'New session', exact: true }).click();
  await page.getByRole('button', { name: 'In a new worktree…' }).click();
  await page.getByRole('textbox', { name: 'Branch' }).fill('retry-button');
  await page.getByRole('textbox', { name: 'Set-up command' }).fill('npm ci');
  await page.getByText(/webhooks\.worktrees\/retry-button/).waitFor();
}

function openSession(page: Page): string {
  return new URL(page.url()).hash.split('/').at(-1) ?? '';
}

async function permissions({ page }: ChromiumWindow): Promise<void> {
  await page.getByTestId('mode').click();
  await page.getByRole('menu', { name: 'Permissions' }).waitFor();
}

async function neverAsk(window: ChromiumWindow): Promise<void> {
  await permissions(window);
  await window.page.getByRole('menuitemradio', { name: /^Never ask/ }).click();
  await window.page.getByRole('dialog').waitFor();
}

async function undo({ page }: ChromiumWindow): Promise<void> {
  await page.getByRole('button', { name: 'Undo the edits of this turn…' }).click();
  await page.getByRole('dialog', { name: 'Undo the edits to 1 file?' }).waitFor();
}

async function search({ page }: ChromiumWindow): Promise<void> {
  await page.getByRole('textbox', { name: 'Search sessions' }).fill('the');
  await page.getByText(/^Titles/).waitFor();
}

async function begin({ page }: ChromiumWindow): Promise<void> {
  await page.getByRole('button', { name: 'New session', exact: true }).click();
  await page.getByText('Recent folders').waitFor();
  await page.getByRole('textbox', { name: 'Message' }).fill('Add a button that tries a delivery again.');
}

async function signOut({ page, stack }: ChromiumWindow): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill('Now do the same for e-mails.');
  await stack.app.signOut();
  await page.getByText('Sending needs a sign-in.').waitFor();
}

/** Sessions in the states that look most unlike each other. */
export function sessionScenes(usual: (more: WindowOptions) => WindowOptions): Scene[] {
  const ofLooks = looks.map(({ name, play, context, act }): Scene => {
    const { stage, options } = staged(usual);
    return {
      ...options,
      context,
      name: `sessions-${name}`,
      show: async (window) => {
        await show(window, stage, play);
        await act?.(window);
      },
      end: () => stage.end(),
    };
  });
  return [
    ...ofLooks,
    workScene(usual, 'sessions-work-light', light),
    workScene(usual, 'sessions-work-dark', dark),
    {
      ...usual({ context: light, at: '#/sessions', prepare: forgetConversations }),
      name: 'sessions-first-use-light',
      show: ({ page }) => page.getByRole('button', { name: 'Fetch and use' }).waitFor(),
    },
    {
      ...usual({ context: light, at: '#/settings/sessions' }),
      name: 'sessions-settings-light',
      show: ({ page }) => page.getByRole('switch', { name: 'Titles outside the window' }).waitFor(),
    },
  ];
}

/** A session at work as README and docs show it: its steps, a difference, and a question. */
function workScene(usual: (more: WindowOptions) => WindowOptions, name: string, look: Look): Scene {
  const { stage, options } = staged(usual, dayOfWork);
  withTime(stage);
  return {
    ...options,
    // Rows of the usual day belong to a session of the same id.
    ...{ name, past: [], context: { viewport: { width: 1280, height: 900 }, ...look } },
    show: async (window) => {
      const { page } = window;
      await show(window, stage, retries, dayOfWork);
      await page.getByRole('button', { name: /^Edit deliver\.ts/ }).click();
      await page.getByTestId('transcript').locator('.text_patch').waitFor();
    },
    end: () => stage.end(),
  };
}

/** Conversations of the scene before. */
function forgetConversations(): void {
  for (const left of ['projects', 'sessions'])
    rmSync(join(homedir(), '.claude', left), { recursive: true, force: true });
}

function staged(
  usual: (more: WindowOptions) => WindowOptions,
  given: readonly Play[] = plays,
): { stage: Stage; options: WindowOptions } {
  const stage = new Stage(homedir(), given);
  const { ports } = usual({});
  const ofStage = stage.options(ports?.clock);
  const options = usual({
    ...ofStage,
    ports: { ...ports, ...ofStage.ports },
    at: '#/sessions',
    settings: { version: 1, welcomedAt: now - 86_400_000, sessions: { atOnce: 16 } },
    prepare: forgetConversations,
  });
  return { stage, options };
}

/** How every state is looked at by `npm run screens -- --states FOLDER`. */
const stateLooks: [name: string, media: Media, width: number, height: number][] = [
  ['light', { colorScheme: 'light' }, 1200, 800],
  ['dark', { colorScheme: 'dark' }, 1200, 800],
  ['high-contrast', { colorScheme: 'dark', contrast: 'more' }, 1200, 800],
  ['forced-colors', { colorScheme: 'dark', forcedColors: 'active' }, 1200, 800],
  ['zoom-200', { colorScheme: 'light' }, 600, 400],
];
type Media = NonNullable<Parameters<Page['emulateMedia']>[0]>;
const noMedia: Media = { contrast: 'no-preference', forcedColors: 'none', reducedMotion: 'reduce' };

/** All sessions of the stage one after the other, in every look. */
export function stateScene(
  usual: (more: WindowOptions) => WindowOptions,
  take: (window: ChromiumWindow, name: string) => Promise<void>,
): Scene {
  const { stage, options } = staged(usual);
  return {
    ...options,
    name: 'states',
    end: () => stage.end(),
    show: async (window) => {
      for (const [look, media, width, height] of stateLooks) {
        await window.page.emulateMedia({ ...noMedia, ...media });
        await window.page.setViewportSize({ width, height });
        for (const { name } of plays) {
          await show(window, stage, name);
          await take(window, `${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}-${look}`);
        }
      }
    },
  };
}

async function show(
  window: ChromiumWindow,
  stage: Stage,
  played: string | null,
  given: readonly Play[] = plays,
): Promise<void> {
  const { page } = window;
  // A narrow window has no list beside a session.
  const begun = page.getByTestId(/^session-row-/).or(page.getByTestId('process'));
  await begun.first().waitFor();
  const play = given.find(({ name }) => name === played);
  if (play === undefined) return;
  await window.go(`#/sessions/${stage.id(play.name)}`);
  await page.getByTestId('process').filter({ hasText: play.process }).waitFor();
  for (const text of play.shows) await page.getByText(text).first().waitFor();
  const question = page.getByTestId('question');
  // Its buttons are dead for a moment.
  if (await question.isVisible()) await question.locator('footer button:not([aria-disabled="true"])').first().waitFor();
}
