/** Where a call is made; it has an answer. */
export const callChannel = (name: string): string => `jumpseat:call:${name}`;
/** Sent from main alone. */
export const eventChannel = 'jumpseat:event';
