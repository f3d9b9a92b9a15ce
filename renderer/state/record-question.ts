import type { Bridge } from '../bridge/bridge.ts';
import { toast } from './notices.ts';
import { ask } from './questions.ts';
import type { WindowStore } from './window-state.ts';

/** Bodies are recorded only after the person has agreed to it. */
export function askToRecord({ bridge, store }: { bridge: Bridge; store: WindowStore }): void {
  const megabytes = store.getState().preferences?.bodies.megabytes ?? 64;
  ask(store, {
    title: 'Record what is said?',
    text:
      'Prompts, code, tool output and answers stay in this machine’s memory, ' +
      `at most ${megabytes} MB, until you quit.`,
    safe: 'Cancel',
    action: 'Record bodies',
    run: () => void switchRecording({ bridge, store }, true),
  });
}

export async function switchRecording(
  { bridge, store }: { bridge: Bridge; store: WindowStore },
  on: boolean,
): Promise<void> {
  try {
    await bridge.record(on);
  } catch (error) {
    toast(store, error instanceof Error ? error.message : String(error));
  }
}
