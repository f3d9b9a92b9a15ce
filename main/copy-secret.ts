const osFormat = (name: string): string => `electron application/osclipboard;format="${name}"`;

/** A 32-bit zero, which Windows reads as no. */
const no = new Uint8Array(4);
const yes = new Uint8Array([1]);

/**
 * What lies beside a secret text on the clipboard, so that histories and managers leave it out: the names that
 * nspasteboard.org, Windows and KDE have given to that request.
 */
function confidentialMarks(platform: NodeJS.Platform): Readonly<Record<string, Uint8Array<ArrayBuffer>>> {
  switch (platform) {
    case 'darwin':
      return { [osFormat('org.nspasteboard.ConcealedType')]: yes };
    case 'win32':
      return {
        [osFormat('ExcludeClipboardContentFromMonitorProcessing')]: yes,
        [osFormat('CanIncludeInClipboardHistory')]: no,
        [osFormat('CanUploadToCloudClipboard')]: no,
      };
    default:
      return { [osFormat('x-kde-passwordManagerHint')]: new TextEncoder().encode('secret') };
  }
}

/** What of Electron copies. Before its version 44 there are no items, and a text goes without marks. */
interface SystemClipboard<Item> {
  clipboard: { writeText(text: string): Promise<void> | void; write(items: Item[]): Promise<void> | void };
  ClipboardItem?: new (entries: Record<string, string | Blob>) => Item;
}

/** Copies a text that holds a secret, marked as one where that can be. */
export async function copySecret<Item>(
  text: string,
  { clipboard, ClipboardItem }: SystemClipboard<Item>,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  if (ClipboardItem !== undefined) {
    const marks = Object.entries(confidentialMarks(platform)).map(([format, bytes]) => [format, new Blob([bytes])]);
    try {
      await clipboard.write([new ClipboardItem({ 'text/plain': text, ...Object.fromEntries(marks) })]);
      return;
    } catch {
      // Where the marks are refused, the text is still wanted.
    }
  }
  await clipboard.writeText(text);
}
