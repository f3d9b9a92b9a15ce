import type { Question, WindowStore } from './window-state.ts';

/** Asks; `run` follows only where the person agrees. */
export function ask(store: WindowStore, question: Question): void {
  store.setState({ question });
}

export function signOutQuestion(run: () => void): Question {
  return {
    title: 'Sign out of GitHub?',
    text: 'The token is deleted on this machine. Claude Code stops working through Jumpseat. Your history stays.',
    safe: 'Cancel',
    action: 'Sign out',
    run,
  };
}

/** One of several accounts. */
export function signOutAccountQuestion(name: string, run: () => void): Question {
  return {
    title: `Sign out of ${name}?`,
    text: 'Its token is deleted on this machine. Your other accounts stay signed in, and none of them takes its requests.',
    safe: 'Cancel',
    action: 'Sign out',
    run,
  };
}

/** @param which `86,412 requests`, `all requests` */
export function deleteHistoryQuestion(which: string, run: () => void): Question {
  return {
    title: `Delete ${which}?`,
    text: 'This can’t be undone. Charges on GitHub don’t change.',
    safe: 'Cancel',
    action: 'Delete history',
    run,
  };
}

/** @param running more than none */
export function cutQuestion(running: number, action: string, run: () => void): Question {
  const one = running === 1;
  return {
    title: one ? '1 request is running' : `${running} requests are running`,
    text: `${one ? 'It is' : 'They are'} cut off. Claude Code can go on from there later.`,
    safe: one ? 'Wait for it' : 'Wait for them',
    action,
    run,
  };
}
