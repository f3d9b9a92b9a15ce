/** Where in the window sessions are shown. */

export const newSessionPlace = '#/sessions/new';

/** The list of those that wait for a person. */
export const waitingPlace = '#/sessions?q=waiting';

/** One session, with its open questions. */
export function sessionPlace(id: string): string {
  return `#/sessions/${encodeURIComponent(id)}`;
}
