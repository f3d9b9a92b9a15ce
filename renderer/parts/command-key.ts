export const isMac = (): boolean => navigator.platform.startsWith('Mac');

/** Whether the platform's key for commands is held, and neither the other one nor Alt. */
export function isCommand(event: { ctrlKey: boolean; metaKey: boolean; altKey: boolean }): boolean {
  return (isMac() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey) && !event.altKey;
}
