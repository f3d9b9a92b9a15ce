import type { CallAnswer, CallArguments, CallName, CallResult } from '../app/api/calls.ts';
import { type Bridge, BridgeError, type Preloaded } from './bridge.ts';

/** The tray app's bridge: what the preload script offers, with failures as errors again. */
export function ipcBridge(preloaded: Preloaded): Bridge {
  return {
    state: unwrapped(preloaded.state),
    exchanges: unwrapped(preloaded.exchanges),
    rows: unwrapped(preloaded.rows),
    exchange: unwrapped(preloaded.exchange),
    recorded: unwrapped(preloaded.recorded),
    recordedIds: unwrapped(preloaded.recordedIds),
    searchBodies: unwrapped(preloaded.searchBodies),
    recordedBody: unwrapped(preloaded.recordedBody),
    record: unwrapped(preloaded.record),
    forgetBodies: unwrapped(preloaded.forgetBodies),
    models: unwrapped(preloaded.models),
    totals: unwrapped(preloaded.totals),
    cacheSavings: unwrapped(preloaded.cacheSavings),
    conversations: unwrapped(preloaded.conversations),
    conversation: unwrapped(preloaded.conversation),
    setOverride: unwrapped(preloaded.setOverride),
    letThrough: unwrapped(preloaded.letThrough),
    learned: unwrapped(preloaded.learned),
    forgetLessons: unwrapped(preloaded.forgetLessons),
    checks: unwrapped(preloaded.checks),
    check: unwrapped(preloaded.check),
    preferences: unwrapped(preloaded.preferences),
    changePreferences: unwrapped(preloaded.changePreferences),
    planSetUp: unwrapped(preloaded.planSetUp),
    applySetUp: unwrapped(preloaded.applySetUp),
    replaceKey: unwrapped(preloaded.replaceKey),
    deleteHistory: unwrapped(preloaded.deleteHistory),
    moveSecrets: unwrapped(preloaded.moveSecrets),
    openFolder: unwrapped(preloaded.openFolder),
    openFile: unwrapped(preloaded.openFile),
    lines: unwrapped(preloaded.lines),
    shownLines: unwrapped(preloaded.shownLines),
    setProxy: unwrapped(preloaded.setProxy),
    useFreePort: unwrapped(preloaded.useFreePort),
    signIn: unwrapped(preloaded.signIn),
    cancelSignIn: unwrapped(preloaded.cancelSignIn),
    copyCode: unwrapped(preloaded.copyCode),
    signOut: unwrapped(preloaded.signOut),
    refresh: unwrapped(preloaded.refresh),
    copyLines: unwrapped(preloaded.copyLines),
    openOutside: unwrapped(preloaded.openOutside),
    updateState: unwrapped(preloaded.updateState),
    checkForUpdates: unwrapped(preloaded.checkForUpdates),
    restartToUpdate: unwrapped(preloaded.restartToUpdate),
    listen: preloaded.listen,
  };
}

function unwrapped<Name extends CallName>(call: (...given: CallArguments<Name>) => Promise<CallAnswer<Name>>) {
  return async (...given: CallArguments<Name>): Promise<CallResult<Name>> => {
    const answer = await call(...given);
    if (answer.ok) return answer.value;
    throw new BridgeError(answer.problem);
  };
}
