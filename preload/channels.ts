/** The names that window and main speak over. Calls have an answer; `event` is sent from main alone. */
export const channels = {
  state: 'jumpseat:state',
  exchanges: 'jumpseat:exchanges',
  setProxy: 'jumpseat:set-proxy',
  event: 'jumpseat:event',
} as const;
