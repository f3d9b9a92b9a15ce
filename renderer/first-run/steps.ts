import type { AppState } from '../../app/api/state.ts';

export type StepState = 'done' | 'now' | 'waits';

/** Where a person stands in the first run; a step is done when the app says so, not when somebody clicked. */
export function stepStates(
  { account, proxy }: Pick<AppState, 'account' | 'proxy'>,
  { connected }: { connected: boolean },
): { signIn: StepState; proxy: StepState; connect: StepState } {
  const signedIn = account.kind === 'signed-in' && account.notice === null;
  const on = proxy.kind === 'on';
  return {
    signIn: signedIn ? 'done' : 'now',
    proxy: on && signedIn ? 'done' : signedIn ? 'now' : 'waits',
    connect: !signedIn || !on ? 'waits' : connected ? 'done' : 'now',
  };
}
