import { t } from '../../app/language/translate.ts';
import { toast } from './notices.ts';
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

function selectText(text: string): void {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'sr';
  field.setAttribute('aria-label', t('Text to copy'));
  field.addEventListener('blur', () => field.remove());
  document.body.append(field);
  field.select();
}
