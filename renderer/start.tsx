import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Shell } from './frame/shell.tsx';
import { httpBridge } from './http-bridge.ts';
import { ipcBridge } from './ipc-bridge.ts';
import { RequestLog } from './requests/request-log.ts';
import { Feed } from './state/feed.ts';
import { followAddress, restoreTheme } from './state/moves.ts';
import { ServicesContext } from './state/services.ts';
import { createWindowStore } from './state/window-state.ts';

const bridge = window.jumpseat ? ipcBridge(window.jumpseat) : httpBridge;
const store = createWindowStore();
const log = new RequestLog();
const feed = new Feed({ bridge, store, log });

restoreTheme(store);
followAddress(store);
feed.start();

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <ServicesContext value={{ bridge, store, log, feed }}>
        <Shell />
      </ServicesContext>
    </StrictMode>,
  );
}
