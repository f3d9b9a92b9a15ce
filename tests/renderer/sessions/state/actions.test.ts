import { expect, it } from 'vitest';
import { BridgeError } from '../../../../renderer/bridge/bridge.ts';
import { sessionActionsOf } from '../../../../renderer/sessions/state/actions.ts';

it('reads the changes of a session that was deleted meanwhile without an error, and says others', async () => {
  const told: string[] = [];
  let code = 'no-session';
  const refused = async () => {
    throw new BridgeError({ code, text: 'There is no such session.', remedy: 'Choose another session.' });
  };
  const bridge = { sessionChanges: refused, filesNow: refused, renameSession: refused };
  const tell = (text: string) => told.push(text);
  const actions = sessionActionsOf({ bridge, tell, feed: { conversations: {} }, store: {} } as never);
  expect([await actions.changes('s', null), await actions.filesNow('s', null), told]).toEqual([null, null, []]);
  await actions.rename('s', 'A title');
  code = 'store';
  await actions.changes('s', null);
  expect(told).toHaveLength(2);
});
