import { isOurs } from './pages.ts';

interface Frame {
  readonly url: string;
}

/** What of Electron's event says who asks. */
export interface CallEvent {
  readonly senderFrame: Frame | null;
  readonly sender: { readonly mainFrame: Frame };
}

/**
 * Whether a call came from our own page in the main frame of its window. The frame is null when it was navigated away
 * or destroyed since it asked; a frame inside the page may not ask.
 */
export function mayAsk({ senderFrame, sender }: CallEvent): boolean {
  return senderFrame !== null && senderFrame === sender.mainFrame && isOurs(senderFrame.url);
}
