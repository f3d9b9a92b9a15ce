import { t } from '../../app/language/translate.ts';
import { resumeLine } from '../../app/words/sessions.ts';
import { linesFirst } from '../../app/words/setup.ts';
import { shellOf } from './actions.ts';
import { toast } from './notices.ts';
import type { Services } from './services.ts';
import { showSetup } from './setup-plan.ts';
import type { WindowStore } from './window-state.ts';

/** Puts text on the clipboard and says so. Where the browser refuses, the text is selected for Ctrl+C. */
export async function copyText(store: WindowStore, text: string, said = t('Copied')): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(store, said);
  } catch {
    selectText(text);
    toast(store, t('Press Ctrl+C to copy.'), { kind: 'info' });
  }
}

/** Copies what goes on with a session in a terminal, and says what that terminal needs first. */
export async function copyResumeLine(
  { store, health }: Pick<Services, 'store' | 'health'>,
  id: string,
  folder: string | null,
): Promise<void> {
  await copyText(store, resumeLine(id, folder, shellOf(store)), t('Line copied'));
  const settings = health.store.getState().checks?.find((check) => check.id === 'claude-code.settings');
  if (settings?.found !== 'not-set-up' && settings?.found !== 'outdated') return;
  const action = { label: t('Set up Claude Code…'), run: () => showSetup(store, 'setup') };
  toast(store, linesFirst(), { kind: 'info', action });
}

function selectText(text: string): void {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'sr';
  field.setAttribute('aria-label', t('Text to copy'));
  field.addEventListener('blur', () => field.remove());
  document.body.append(field);
  field.select();
}
