import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { httpBridge } from './http-bridge.ts';
import { ipcBridge } from './ipc-bridge.ts';
import { Page } from './page.tsx';

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Page bridge={window.jumpseat ? ipcBridge(window.jumpseat) : httpBridge} />
    </StrictMode>,
  );
}
