import type { Theme } from '../api/settings.ts';

/**
 * The window's page with the chosen theme on its root, so that nothing is painted in another one first. `system` leaves
 * it to the browser.
 */
export function themedPage(html: string, theme: Theme): string {
  return theme === 'system' ? html : html.replace(/<html(?=[\s>])/, `<html data-theme="${theme}"`);
}
