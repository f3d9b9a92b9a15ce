import type { Locator, Page } from 'playwright-core';
import { until } from '../../soon.ts';

/** What a person does in the Sessions view, whichever window its page is shown in. */
export class SessionsPage {
  readonly page: Page;
  readonly composer: Locator;
  readonly transcript: Locator;
  /** One for each turn that has ended. */
  readonly figures: Locator;
  /** What the process does. */
  readonly process: Locator;
  readonly foot: Locator;

  constructor(page: Page) {
    this.page = page;
    this.composer = page.getByRole('textbox', { name: 'Message' });
    this.transcript = page.getByTestId('transcript');
    this.figures = page.getByTestId(/^turn-figures-/);
    this.process = page.getByTestId('process');
    this.foot = page.getByRole('region', { name: 'Session', exact: true }).locator('footer.panes_session-foot');
  }

  /** Of the session that is open: `#/sessions/{id}`. */
  get address(): string {
    return new URL(this.page.url()).hash;
  }

  async go(at: string): Promise<void> {
    await this.page.evaluate((hash) => {
      window.location.hash = hash;
    }, at);
  }

  async send(...lines: string[]): Promise<void> {
    await this.composer.fill(lines.join('\n'));
    await this.composer.press('Enter');
  }

  /** Says words into the turn that runs. */
  async steer(words: string): Promise<void> {
    await this.composer.fill(words);
    await this.composer.press('Control+Enter');
  }

  /** Until what stands in the field can be sent: a moment after a start it is known with what a session would run. */
  async canSend(): Promise<void> {
    const button = this.page.getByRole('button', { name: 'Send', exact: true });
    await until(async () => (await button.isEnabled()) && (await button.getAttribute('aria-disabled')) !== 'true');
  }

  question(title: string): Locator {
    return this.page.getByRole('group', { name: title });
  }

  /**
   * Goes to the question with the keyboard, answers it once its buttons are alive, and is back in the field, or in the
   * next question where that came at once: the card keeps the keyboard then.
   */
  async answer(title: string, ...keys: string[]): Promise<void> {
    const asked = this.question(title);
    await asked.waitFor();
    if (!(await this.hasFocus(asked))) await this.page.keyboard.press('Control+.');
    await until(() => this.hasFocus(asked));
    await until(async () => (await asked.locator('footer button').last().getAttribute('aria-disabled')) !== 'true');
    for (const key of keys) await this.page.keyboard.press(key);
    await asked.waitFor({ state: 'detached' });
    const holders = '[data-testid=composer], [data-testid=question]';
    await until(() => this.page.evaluate((any) => document.activeElement?.closest(any) != null, holders));
  }

  /** Until so many turns have ended. */
  async ended(turns: number): Promise<void> {
    await until(
      async () => (await this.figures.count()) === turns,
      async () => ({ wanted: turns, there: await this.figures.count(), process: await this.process.textContent() }),
    );
  }

  async idle(): Promise<void> {
    await this.page.locator('[data-testid=process]', { hasText: /^Idle$/ }).waitFor();
  }

  /**
   * What all turns say they cost, from the first one on, by the names of their feet. What is far from what is in sight
   * is not in the page, so it is scrolled through.
   */
  async feet(): Promise<Map<string, string>> {
    const feed = this.page.getByRole('feed');
    const look = () =>
      feed.evaluate((element) => {
        const { scrollTop, clientHeight, scrollHeight } = element;
        const feet = [...element.querySelectorAll<HTMLElement>('.transcript_turn-foot')].map((foot) => {
          const parts = [...foot.querySelectorAll('.transcript_by-whom .sr, .transcript_sum .transcript_c')].map(
            ({ textContent }) => textContent,
          );
          return [foot.dataset.testid ?? '', parts.join(' ')] as const;
        });
        return {
          feet,
          ...{ isTop: scrollTop === 0, isEnd: scrollTop + clientHeight >= scrollHeight - 1 },
        };
      });
    await feed.hover();
    await until(async () => {
      await this.page.mouse.wheel(0, -2_000);
      return (await look()).isTop;
    });
    const seen = new Map<string, string>();
    await until(async () => {
      const { feet, isEnd } = await look();
      for (const [id, text] of feet) seen.set(id, text);
      if (!isEnd) await this.page.mouse.wheel(0, 500);
      return isEnd;
    });
    return seen;
  }

  /** Scrolls up from the end until the foot of a turn is in the page. */
  async revealed(foot: string): Promise<Locator> {
    await this.page.getByRole('feed').hover();
    await until(async () => {
      if ((await this.page.getByTestId(foot).count()) > 0) return true;
      await this.page.mouse.wheel(0, -500);
      return false;
    });
    await this.#standsStill();
    return this.page.getByTestId(foot);
  }

  /** Until the transcript has been where it is for ten frames: what moves under the pointer gets no click. */
  async #standsStill(): Promise<void> {
    await until(() =>
      this.page.getByRole('feed').evaluate(async (feed) => {
        const where = (): string => `${feed.scrollTop} ${feed.scrollHeight}`;
        const before = where();
        for (let frames = 0; frames < 10; frames++) await new Promise((resolve) => requestAnimationFrame(resolve));
        return where() === before;
      }),
    );
  }

  hasFocus(where: Locator): Promise<boolean> {
    return where.evaluate((element) => element.contains(document.activeElement));
  }
}
