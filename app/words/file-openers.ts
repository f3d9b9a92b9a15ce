import type { FileOpener } from '../api/settings.ts';

/** Programs that may open files of a session, as people know them. */
export const fileOpenerTitles: Readonly<Record<FileOpener, string>> = {
  system: 'System default',
  code: 'VS Code',
  codium: 'VSCodium',
  cursor: 'Cursor',
  windsurf: 'Windsurf',
  zed: 'Zed',
  sublime: 'Sublime Text',
};
