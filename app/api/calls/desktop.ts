import { z } from 'zod';
import { type CallTable, desktop } from '../call.ts';
import { keyWishSchema } from '../keys.ts';
import { fileOpenerSchema, soundNameSchema, soundSchema } from '../settings.ts';
import { knownFileSchema, linesForSchema, shellSchema } from '../setup.ts';
import { updateStateSchema } from '../state.ts';

/** What the tray front answers itself, because it is about this machine’s desktop. */
export const desktopCalls = {
  /** Opens one of our folders with the system's own program. */
  openFolder: desktop(z.tuple([z.enum(['home', 'logs', 'backups'])]), z.void()),
  /** Opens one of these files with the system's own program. */
  openFile: desktop(z.tuple([knownFileSchema]), z.void()),
  /** The folder picked in the system's own dialog; null if it was cancelled. */
  chooseFolder: desktop(z.tuple([]), z.string().nullable()),
  /**
   * The files picked in the system's own dialog, which begins in this folder; none if it was cancelled. Of a picture
   * also its bytes, in base64.
   */
  chooseFiles: desktop(
    z.tuple([z.string().max(4_096)]),
    z.array(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('path'), path: z.string() }),
        z.object({ kind: z.literal('image'), name: z.string(), mimeType: z.string(), data: z.string() }),
      ]),
    ),
  ),
  /**
   * Shows a file or folder of a session's folder (null: that itself) with the program that the person chose, else with
   * the system's own; what that might run is shown in its folder instead. What lies outside is asked about first.
   * Rejects where it is gone. `line`: where an editor opens it.
   */
  showInSession: desktop(
    z.tuple([
      z.strictObject({
        session: z.string().min(1).max(100),
        path: z.string().max(4_096).nullable(),
        line: z.int().min(1).max(9_999_999).optional(),
      }),
    ]),
    z.void(),
  ),
  /** Opens a session in a further window, beside those that are open. */
  openSessionWindow: desktop(z.tuple([z.string().min(1).max(100)]), z.void()),
  /** What can open files here: `openFilesWith` of the settings. */
  fileOpeners: desktop(z.tuple([]), z.array(fileOpenerSchema)),
  /**
   * Runs sessions with a Claude Code that the person picks in the system's own dialog; false: they picked none. Rejects
   * where it is another program: the problem says what it said of itself.
   */
  chooseClaudeFile: desktop(z.tuple([]), z.boolean()),
  /** A sound file picked in the system's own dialog, which is played; null: none. Rejects where it is no sound. */
  chooseSound: desktop(z.tuple([soundNameSchema]), z.string().nullable()),
  /** Plays a sound now. Rejects where it can't be played. */
  playSound: desktop(z.tuple([soundNameSchema, soundSchema]), z.void()),
  /** Rejects where it is known without playing it that it can't be played. */
  checkSound: desktop(z.tuple([soundNameSchema, soundSchema]), z.void()),
  /** Copies the code that is shown and opens GitHub's page for it. The id of its account; null for the one in use. */
  copyCode: desktop(z.tuple([z.string().max(16).nullable()]), z.void()),
  /** Copies the lines for a client; the window never sees the key in them. */
  copyLines: desktop(z.tuple([shellSchema, linesForSchema]), z.void()),
  /** Copies the local key; the window never sees it. */
  copyKey: desktop(z.tuple([]), z.void()),
  /** Creates a further key and copies it; the window never sees it. Rejects where the name is taken. */
  copyNewKey: desktop(z.tuple([keyWishSchema]), z.void()),
  /** False: not an address that may be opened. */
  openOutside: desktop(z.tuple([z.string().max(2048)]), z.boolean()),
  /**
   * Opens an address of a conversation: of the web or of mail. Only after a person saw all of it and said yes. Rejects
   * for others.
   */
  openAddress: desktop(z.tuple([z.string().max(8_192)]), z.void()),
  updateState: desktop(z.tuple([]), updateStateSchema),
  checkForUpdates: desktop(z.tuple([]), updateStateSchema),
  restartToUpdate: desktop(z.tuple([]), z.void()),
} satisfies CallTable;
