import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron';
import type { AppEvent } from '../app/api.ts';
import type { Bridge } from '../renderer/bridge.ts';
import { channels } from './channels.ts';

/** Narrow functions, one per thing the window may ask. Neither ipcRenderer nor its events ever reach the page. */
const bridge: Bridge = {
  state: () => ipcRenderer.invoke(channels.state),
  exchanges: (limit) => ipcRenderer.invoke(channels.exchanges, limit),
  setProxy: (on) => ipcRenderer.invoke(channels.setProxy, on),
  listen(listener) {
    const pass = (_event: IpcRendererEvent, appEvent: AppEvent): void => listener(appEvent);
    ipcRenderer.on(channels.event, pass);
    return () => {
      ipcRenderer.off(channels.event, pass);
    };
  },
};

contextBridge.exposeInMainWorld('jumpseat', bridge);
