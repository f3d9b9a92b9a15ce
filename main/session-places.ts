/** Where in the window sessions are shown. */

export const newSessionPlace = '#/sessions/new';

/** The list of those that wait for a person. */
export const waitingPlace = '#/sessions?q=waiting';

/** A question of it stands there too. */
export function sessionPlace(id: string): string {
  return `#/sessions/${encodeURIComponent(id)}`;
}
