/** A file that a person wanted to see isn't shown. */
class NotShownError extends Error {
  override readonly name = 'NotShownError';
  readonly mend: string;
  constructor(message: string, mend: string) {
    super(message);
    this.mend = mend;
  }
}

/**
 * Shows a file with the system's own program.
 * @param path null: what was found is not there any more
 * @param openPath answers in the system's words why not, and nothing where it did
 */
export async function openKnownFile(path: string | null, openPath: (path: string) => Promise<string>): Promise<void> {
  if (path === null) throw new NotShownError('There is nothing to show any more.', 'Check again.');
  const why = await openPath(path);
  if (why !== '') throw new NotShownError(`${path} couldn’t be opened: ${why}.`, 'Open it with an editor.');
}
