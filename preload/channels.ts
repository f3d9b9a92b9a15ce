import type { CallName } from '../app/api/calls.ts';

/** Every call of the contract, by name: a missing or surplus one does not compile. Without the schemas, which the page has no use for. */
const named = {
  state: true,
  exchanges: true,
  rows: true,
  exchange: true,
  recorded: true,
  recordedIds: true,
  searchBodies: true,
  recordedBody: true,
  record: true,
  forgetBodies: true,
  models: true,
  totals: true,
  cacheSavings: true,
  conversations: true,
  conversation: true,
  setOverride: true,
  letThrough: true,
  learned: true,
  forgetLessons: true,
  checks: true,
  check: true,
  preferences: true,
  changePreferences: true,
  planSetUp: true,
  applySetUp: true,
  replaceKey: true,
  deleteHistory: true,
  moveSecrets: true,
  openFolder: true,
  openFile: true,
  lines: true,
  shownLines: true,
  setProxy: true,
  useFreePort: true,
  signIn: true,
  cancelSignIn: true,
  copyCode: true,
  signOut: true,
  refresh: true,
  copyLines: true,
  openOutside: true,
  updateState: true,
  checkForUpdates: true,
  restartToUpdate: true,
} as const satisfies Record<CallName, true>;

export const callNames: readonly string[] = Object.keys(named);

/** Where a call is made; it has an answer. */
export const callChannel = (name: string): string => `jumpseat:call:${name}`;
/** Sent from main alone. */
export const eventChannel = 'jumpseat:event';
