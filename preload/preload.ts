import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from 'electron';
import { callPlaces } from '../app/api/call-places.ts';
import type { WindowEvent } from '../app/api/events.ts';
import { carried, eventChannel } from './calls.ts';

/**
 * Narrow functions, one per call of the contract, a way to listen, and the path of a file that is given. Neither
 * ipcRenderer nor its events ever reach the page. What crosses is checked in main; this file only carries it.
 */
const calls = carried(callPlaces, (channel, given) => ipcRenderer.invoke(channel, given, language));

/** The language that the page shows: main sends its sentences in it. */
let language = 'en';
const speak = (tag: string): void => {
  language = String(tag);
};

/** Returns the way to stop listening. */
function listen(listener: (event: WindowEvent) => void): () => void {
  const pass = (_event: IpcRendererEvent, event: WindowEvent): void => listener(event);
  ipcRenderer.on(eventChannel, pass);
  return () => {
    ipcRenderer.off(eventChannel, pass);
  };
}

/** Where a file lies that the person dropped, pasted or chose; empty where it lies nowhere. Reads nothing of it. */
const pathOf = (file: File): string => webUtils.getPathForFile(file);

contextBridge.exposeInMainWorld('jumpseat', { ...calls, listen, pathOf, speak });
