import type { AppState } from '../../app/api/state.ts';

export type StepState = 'done' | 'now' | 'waits';

/** Progress of the first run; a step is done when the app says so, not when it was clicked. */
export function stepStates(
  { account, proxy, reach }: Pick<AppState, 'account' | 'proxy' | 'reach'>,
  { connected }: { connected: boolean },
): { signIn: StepState; proxy: StepState; connect: StepState } {
  const signedIn = reach.kind === 'through-vscode' || (account.kind === 'signed-in' && account.notice === null);
  const on = proxy.kind === 'on';
  return {
    signIn: signedIn ? 'done' : 'now',
    proxy: on && signedIn ? 'done' : signedIn ? 'now' : 'waits',
    connect: !signedIn || !on ? 'waits' : connected ? 'done' : 'now',
  };
}
