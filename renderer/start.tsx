import { StrictMode, useSyncExternalStore } from 'react';
import { createRoot } from 'react-dom/client';
import { onLanguage, shownLanguage } from '../app/language/language.ts';
import { httpBridge } from './bridge/http-bridge.ts';
import { ipcBridge } from './bridge/ipc-bridge.ts';
import { Shell } from './shell/shell.tsx';
import { Feed } from './state/feed.ts';
import { HealthChecks } from './state/health-checks.ts';
import { HeldSessions } from './state/held-sessions.ts';
import { takeLanguage } from './state/language.ts';
import { RequestLog } from './state/log/request-log.ts';
import { forgetOldKeys, readLetterKeys, readTheme } from './state/preferences.ts';
import { ServicesContext } from './state/services.ts';
import { SignInFlow } from './state/sign-in-flow.ts';
import { createWindowStore, followAddress } from './state/window-state.ts';

const bridge = window.jumpseat ? ipcBridge(window.jumpseat) : httpBridge();
const store = createWindowStore();
const log = new RequestLog();
const feed = new Feed({ bridge, store, log });
const health = new HealthChecks({ bridge, store });
const signIn = new SignInFlow({ bridge, store });

forgetOldKeys();
readTheme(store);
readLetterKeys(store);
followAddress(store);

/** Everything is drawn anew in another language: whatever was computed from messages is, too. */
function InLanguage() {
  const { tag } = useSyncExternalStore(onLanguage, shownLanguage);
  return <Shell key={tag} />;
}

// What the app says comes in the language that is shown.
void takeLanguage().then(() => {
  health.start();
  signIn.start();
  feed.start();
  new HeldSessions({ bridge, store, feed }).start();
  const root = document.getElementById('root');
  if (root === null) return;
  createRoot(root).render(
    <StrictMode>
      <ServicesContext value={{ bridge, store, log, feed, health, signIn }}>
        <InLanguage />
      </ServicesContext>
    </StrictMode>,
  );
});
