import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron';
import type { WindowEvent } from '../app/api/calls.ts';
import { callChannel, callNames, eventChannel } from './channels.ts';

/**
 * Narrow functions, one per call of the contract, and a way to listen. Neither ipcRenderer nor its events ever reach the page.
 * What crosses is checked in main; this file only carries it.
 */
const calls = callNames.map((name) => {
  const channel = callChannel(name);
  return [name, (...given: unknown[]): Promise<unknown> => ipcRenderer.invoke(channel, given)] as const;
});

/** Returns the way to stop listening. */
function listen(listener: (event: WindowEvent) => void): () => void {
  const pass = (_event: IpcRendererEvent, event: WindowEvent): void => listener(event);
  ipcRenderer.on(eventChannel, pass);
  return () => {
    ipcRenderer.off(eventChannel, pass);
  };
}

contextBridge.exposeInMainWorld('jumpseat', { ...Object.fromEntries(calls), listen });
