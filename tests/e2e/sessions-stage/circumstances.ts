import type { Page } from 'playwright-core';
import type { Status } from '../../../app/api/state.ts';
import { withoutWaiting } from '../../../app/words/status.ts';
import { prompt } from '../../app/stack.ts';
import { until } from '../../soon.ts';
import type { Stage } from './stage.ts';

/** What the whole app is like, and what that means for a session at rest whose next message is written already. */
export interface Circumstance {
  name: string;
  begin: (stage: Stage, page: Page) => Promise<unknown>;
  end?: (stage: Stage, page: Page) => Promise<unknown>;
  /** Under the field, as a text of its own. */
  line: string | RegExp;
  /** Buttons beside it. */
  offers?: readonly string[];
  send: { name: 'Send' | 'Queue'; isGrey: boolean };
}

/** Other sessions wait for the person meanwhile, which is said of nothing worse. */
const comesTo = (stage: Stage, status: Status): Promise<unknown> =>
  until(
    () => withoutWaiting(stage.stack.app.state()).status === status,
    () => stage.stack.app.state(),
  );
const grey = { name: 'Send', isGrey: true } as const;
/** Comes back to the window: what can be elsewhere now is asked for again. */
const comesBack = (page: Page): Promise<unknown> => page.evaluate(() => dispatchEvent(new Event('focus')));

/** In an order in which each leaves nothing behind. */
export const circumstances: readonly Circumstance[] = [
  {
    name: 'without credits',
    begin: async (stage) => {
      stage.stack.simulator.script.setRemaining(0);
      await stage.stack.app.refresh();
      await comesTo(stage, 'exhausted');
    },
    end: async (stage) => {
      stage.stack.simulator.script.setRemaining(5_000);
      await stage.stack.app.refresh();
      await comesTo(stage, 'on');
    },
    line: /^Out of credits until \d{1,2} [A-Z][a-z]{2}, \d\d:\d\d\. A GitHub budget, or a higher one, lets it go on now\.$/,
    send: { name: 'Send', isGrey: false },
  },
  {
    name: 'offline',
    begin: async (stage) => {
      const { messages, simulator } = stage.stack;
      simulator.script.always({ kind: 'reset' }, ({ service }) => service === 'copilot');
      await messages(prompt('hello'));
      await messages(prompt('hello'));
      await comesTo(stage, 'offline');
    },
    end: async (stage) => {
      stage.stack.simulator.script.clear();
      await stage.stack.app.refresh();
      await comesTo(stage, 'on');
    },
    line: 'No connection. It is sent as soon as Copilot answers.',
    send: { name: 'Queue', isGrey: false },
  },
  {
    name: 'without Claude Code',
    begin: async (stage, page) => {
      stage.agent.isThere = false;
      await comesBack(page);
    },
    end: async (stage, page) => {
      stage.agent.isThere = true;
      await comesBack(page);
    },
    line: 'Claude Code isn’t set up for this window.',
    offers: ['Choose where it comes from'],
    send: grey,
  },
  {
    name: 'with the proxy off',
    begin: (stage) => stage.stack.app.stopProxy(),
    end: async (stage) => {
      await stage.stack.app.startProxy({ port: 0 });
      await comesTo(stage, 'on');
    },
    line: 'Sending needs the proxy.',
    offers: ['Turn proxy on'],
    send: grey,
  },
  {
    // Last: nobody signs in again.
    name: 'signed out',
    begin: async (stage) => {
      await stage.stack.app.signOut();
      await comesTo(stage, 'signed-out');
    },
    line: 'Sending needs a sign-in.',
    send: grey,
  },
];
