import { rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ChromiumWindow, WindowOptions } from '../chromium-window.ts';
import { plays } from '../sessions-stage/plays.ts';
import { Stage } from '../sessions-stage/stage.ts';
import { now } from './fixed-time.ts';
import type { Scene } from './scenes.ts';

type Look = NonNullable<WindowOptions['context']>;

const light: Look = { colorScheme: 'light' };
const dark: Look = { colorScheme: 'dark' };
const small: Look = { viewport: { width: 720, height: 480 } };
/** What a window of 1200 × 800 has left at 200 %. */
const zoomed: Look = { viewport: { width: 600, height: 400 }, deviceScaleFactor: 2 };

/** Each with the session that is open in it; null: the list alone. */
const looks: [name: string, play: string | null, context: Look][] = [
  ['sessions-light', 'one that writes', light],
  ['sessions-dark', 'one that writes', dark],
  ['sessions-done-light', 'one that is done and seen', light],
  ['sessions-command-light', 'a question about a command', light],
  ['sessions-edit-dark', 'a question about an edit', dark],
  ['sessions-several-light', 'several questions', light],
  ['sessions-choices-dark', 'questions with choices', dark],
  ['sessions-plan-light', 'a plan', light],
  ['sessions-queue-dark', 'one with tasks, steered and queued', dark],
  ['sessions-subagents-light', 'one with subagents', light],
  ['sessions-stopped-dark', 'one whose process ended', dark],
  ['sessions-terminal-light', 'one in a terminal', light],
  ['sessions-forced-colors', 'one that writes', { colorScheme: 'dark', forcedColors: 'active' }],
  ['sessions-list-720x480', null, { ...small, ...light }],
  ['sessions-720x480', 'one that is done and seen', { ...small, ...light }],
  ['sessions-question-720x480', 'a question about a command', { ...small, ...dark }],
  ['sessions-zoom-200', 'a question about an edit', { ...zoomed, ...light }],
];

/** Sessions in the states that look most unlike each other. */
export function sessionScenes(usual: (more: WindowOptions) => WindowOptions): Scene[] {
  return looks.map(([name, played, context]) => {
    const stage = new Stage(homedir());
    const { ports } = usual({});
    const staged = stage.options(ports?.clock);
    return {
      ...usual({
        ...staged,
        ports: { ...ports, ...staged.ports },
        context,
        at: '#/sessions',
        settings: { version: 1, welcomedAt: now - 86_400_000, sessions: { atOnce: 16 } },
        // Conversations of the scene before.
        prepare: () => {
          for (const left of ['projects', 'sessions'])
            rmSync(join(homedir(), '.claude', left), { recursive: true, force: true });
        },
      }),
      name,
      show: (window) => show(window, stage, played),
    };
  });
}

async function show(window: ChromiumWindow, stage: Stage, played: string | null): Promise<void> {
  const { page } = window;
  await page
    .getByTestId(/^session-row-/)
    .first()
    .waitFor();
  const play = plays.find(({ name }) => name === played);
  if (play === undefined) return;
  await window.go(`#/sessions/${stage.id(play.name)}`);
  await page.getByTestId('process').filter({ hasText: play.process }).waitFor();
  for (const text of play.shows) await page.getByText(text).first().waitFor();
  const question = page.getByTestId('question');
  // Its buttons are dead for a moment.
  if (await question.isVisible()) await question.locator('footer button:not([aria-disabled="true"])').first().waitFor();
}
