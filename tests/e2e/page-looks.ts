import type { Page } from 'playwright-core';

/** What can be reached only by scrolling sideways, and what lies outside of its view. */
export function sideways(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const wide = [
      ...document.querySelectorAll(
        'html, body, main, .view-scroll, .settings_settings-page, .detail_detail-body, .requests_grid, .view-frame_view-head, ' +
          '.requests_filter-line, .panes_pane, .panes_pane > header, .panes_pane > footer, .transcript_talk, .panes_dock, .panes_dock > *, ' +
          '.questions_ask-head, .questions_ask-body, .questions_ask-foot, .composer_composer-bar',
      ),
    ]
      .filter((element) => !element.matches('.sr') && element.scrollWidth > element.clientWidth + 1)
      .map((element) => `${element.className || element.tagName} scrolls sideways`);
    const outside = [...document.querySelectorAll<HTMLElement>('main :is(button, a, input, select, h1, h2)')]
      .filter(
        (element) =>
          element.checkVisibility({ checkVisibilityCSS: true }) &&
          element.closest('.sr, .shell_skip, .table-scroll') === null,
      )
      .filter((element) => {
        const { left, right } = element.getBoundingClientRect();
        return right > innerWidth + 1 || left < -1;
      })
      .map((element) => `${element.textContent || element.getAttribute('aria-label')} is outside`);
    return [...wide, ...outside];
  });
}

/** With forced colours: icons and texts in a colour that is none of the system's. */
export async function strangeColors(page: Page): Promise<string[]> {
  const strange = await page.evaluate(() => {
    const probe = document.createElement('i');
    document.body.append(probe);
    const system = new Set(
      [
        'CanvasText',
        'LinkText',
        'ButtonText',
        'FieldText',
        'GrayText',
        'Highlight',
        'HighlightText',
        'VisitedText',
        'ActiveText',
        'Canvas',
        'ButtonFace',
        'AccentColor',
        'AccentColorText',
        'SelectedItem',
        'SelectedItemText',
      ].map((color) => {
        probe.style.setProperty('color', color);
        probe.style.setProperty('forced-color-adjust', 'none');
        return getComputedStyle(probe).color;
      }),
    );
    probe.remove();
    return [...document.querySelectorAll('svg:not([data-testid=app-icon], [data-testid=app-icon] *), main *, aside *')]
      .filter((element) => element.closest('[data-testid=app-icon]') === null && element.checkVisibility())
      .filter((element) => !system.has(getComputedStyle(element).color))
      .map((element) => `${element.tagName} ${element.getAttribute('class')} ${getComputedStyle(element).color}`);
  });
  return [...new Set(strange)];
}

/** Controls and headings whose words or edges are cut off by what they stand in, and can't be scrolled to. */
export function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main :is(button, a, input, select, textarea)')]
      .filter((element) => element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true }))
      .filter((element) => element.closest('.sr, .shell_skip') === null)
      .filter((element) => {
        const box = element.getBoundingClientRect();
        for (let around = element.parentElement; around !== null; around = around.parentElement) {
          const { overflowX, overflowY } = getComputedStyle(around);
          const { left, right, top, bottom } = around.getBoundingClientRect();
          // What scrolls brings it into view; what clips hides it for good.
          if (overflowX === 'auto' || overflowX === 'scroll' || overflowY === 'auto' || overflowY === 'scroll')
            return false;
          if (overflowX !== 'visible' && (box.right > right + 1 || box.left < left - 1)) return true;
          if (overflowY !== 'visible' && (box.bottom > bottom + 1 || box.top < top - 1)) return true;
        }
        return box.bottom > innerHeight + 1;
      })
      .map((element) => `${element.getAttribute('aria-label') ?? element.textContent} is cut off`),
  );
}

/** With forced colours: fields and buttons that have neither an edge nor an icon nor an underline to be seen by. */
export function edgeless(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main :is(button, input, textarea, [role="tab"])')]
      .filter((element) => element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true }))
      .filter(
        (element) =>
          element.closest('.sr, .shell_skip') === null && !element.matches('[type="radio"], [type="checkbox"]'),
      )
      .filter((element) => {
        for (
          let at: HTMLElement | null = element, steps = 0;
          at !== null && steps < 3;
          at = at.parentElement, steps++
        ) {
          const { borderTopStyle, borderTopWidth, borderBottomStyle, outlineStyle } = getComputedStyle(at);
          const isDrawn = borderTopStyle !== 'none' && Number.parseFloat(borderTopWidth) > 0;
          if (isDrawn || outlineStyle !== 'none' || borderBottomStyle !== 'none') return false;
        }
        const { textDecorationLine } = getComputedStyle(element);
        return textDecorationLine === 'none' && element.querySelector('svg') === null;
      })
      .map((element) => element.getAttribute('aria-label') ?? element.textContent ?? element.tagName),
  );
}
