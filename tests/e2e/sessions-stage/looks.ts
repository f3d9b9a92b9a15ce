import type { Page } from 'playwright-core';

/** What can be reached by scrolling sideways alone, and controls that lie outside of the window. */
export function outOfReach(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const wide = [
      ...document.querySelectorAll(
        'html, body, main, .panes_pane, .transcript_talk, .panes_dock, .questions_ask, .questions_ask-body',
      ),
    ]
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .map((element) => `${element.className || element.tagName} scrolls sideways`);
    const outside = [...document.querySelectorAll<HTMLElement>('main :is(button, a, input, textarea, h1, h2)')]
      .filter(
        (element) =>
          element.checkVisibility({ checkVisibilityCSS: true }) && element.closest('.sr, .shell_skip') === null,
      )
      .filter((element) => {
        const { left, right } = element.getBoundingClientRect();
        return right > innerWidth + 1 || left < -1;
      })
      .map((element) => `${element.textContent || element.getAttribute('aria-label')} is outside`);
    return [...wide, ...outside];
  });
}

/** What of the open question can't be read or clicked where it is: cut off, under something else, or too much of it. */
export function covered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const question = document.querySelector('[data-testid=question]');
    const share = (question?.getBoundingClientRect().height ?? 0) / innerHeight;
    return [
      ...[
        ...document.querySelectorAll<HTMLElement>(
          '[data-testid=question] :is(h3, footer button), .composer_composer button',
        ),
      ]
        .filter((button) => button.checkVisibility({ checkVisibilityCSS: true }))
        .filter((button) => {
          const { left, top, width, height } = button.getBoundingClientRect();
          const there = document.elementFromPoint(left + width / 2, top + height / 2);
          return there === null || !(button.contains(there) || there.contains(button));
        })
        .map((button) => `${button.textContent || button.getAttribute('aria-label')} is covered`),
      ...(innerHeight <= 480 && share > 0.63 ? [`the question takes ${Math.round(share * 100)} %`] : []),
    ];
  });
}

/** With forced colours: icons that are not to be seen, and boxes without an edge. */
export function unmarked(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const canvas = getComputedStyle(document.body).backgroundColor;
    const visible = (element: Element): boolean => element.checkVisibility({ checkVisibilityCSS: true });
    const invisible = [...document.querySelectorAll('main svg')]
      .filter(visible)
      .filter((svg) => getComputedStyle(svg).color === canvas && getComputedStyle(svg).fill === canvas)
      .map((svg) => `${svg.getAttribute('class')} has the colour of what is behind it`);
    const edgeless = [
      ...document.querySelectorAll('[data-testid=question], .composer_composer, .transcript_turn-failure'),
    ]
      .filter(visible)
      .filter((box) => Number.parseFloat(getComputedStyle(box).borderTopWidth) === 0)
      .map((box) => `${box.className} has no edge`);
    return [...invisible, ...edgeless];
  });
}

/** Runs a look with the text spacing of WCAG 1.4.12, by a style sheet of a script's: the page takes no other. */
export async function withSpacedText(page: Page, look: () => Promise<unknown>): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } ' +
        'p { margin-bottom: 2em !important }',
    );
    document.adoptedStyleSheets = [sheet];
  });
  try {
    await look();
  } finally {
    await page.evaluate(() => {
      document.adoptedStyleSheets = [];
    });
  }
}

/** Words with taller lines than the box that they stand in. What scrolls, or ends with …, is whole. */
export function cutWords(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.panes_pane *')]
      .filter((element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE))
      .filter((element) => element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true }))
      .filter((element) => element.closest('.sr, .shell_skip, svg') === null && element.clientHeight > 0)
      .filter((element) => {
        const { overflowY } = getComputedStyle(element);
        return overflowY !== 'auto' && overflowY !== 'scroll' && element.scrollHeight > element.clientHeight + 2;
      })
      .map((element) => `${element.className || element.tagName}: ${element.textContent}`.slice(0, 80)),
  );
}

/** Heads and feet of panes outside of the window, and what stands outside of these or on something else in them. */
export function crowded(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.panes_pane > :is(header, footer)')]
      .filter((edge) => edge.checkVisibility())
      .flatMap((edge) => {
        const around = edge.getBoundingClientRect();
        const name = `${edge.tagName} ${edge.className}`;
        const reported = around.top < -1 || around.bottom > innerHeight + 1 ? [`${name} is outside of the window`] : [];
        const parts = [...edge.querySelectorAll<HTMLElement>('*')].filter(
          (part) =>
            [...part.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim() !== '') &&
            part.checkVisibility() &&
            part.closest('.sr') === null,
        );
        const boxes = parts.map((words) => {
          const part = words.closest<HTMLElement>('button, a') ?? words;
          const { top, bottom, left, right } = part.getBoundingClientRect();
          // What is too long ends where its line does.
          const ends = [right];
          for (let at = part.parentElement; at !== null && at !== edge; at = at.parentElement) {
            if (getComputedStyle(at).overflowX !== 'visible') ends.push(at.getBoundingClientRect().right);
          }
          return { part, box: { top, bottom, left, right: Math.min(...ends) } };
        });
        for (const { part, box } of boxes) {
          if (box.top < around.top - 1 || box.bottom > around.bottom + 1)
            reported.push(`${part.textContent} sticks out of ${name}`);
          for (const other of boxes) {
            if (other.part === part || part.contains(other.part) || other.part.contains(part)) continue;
            const { left, right, top, bottom } = other.box;
            if (box.left < left && box.right > left + 1 && box.right < right && box.top < bottom && box.bottom > top)
              reported.push(`${part.textContent} lies under ${other.part.textContent}`);
          }
        }
        return reported;
      }),
  );
}
