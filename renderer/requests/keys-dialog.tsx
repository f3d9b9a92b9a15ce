import { Dialog } from '../parts/dialog.tsx';
import { isMac } from '../state/command-key.ts';

/** Every key there is. */
export function KeysDialog({ close }: { close: () => void }) {
  const command = isMac() ? '⌘' : 'Ctrl+';
  const keys: readonly [string, string][] = [
    [`${command}1 … ${command}4, ${command},`, 'Go to a place'],
    [`/ , ${command}F`, 'Search field'],
    ['↑ ↓, j k', 'Row up, down'],
    ['PgUp PgDn, Home, End', 'Page, first, last'],
    ['← →', 'Cell'],
    ['Enter', 'Open the details; Esc closes them'],
    ['[ ]', 'Tab to the left, right'],
    ['u, Shift+u', 'Next, previous user request'],
    ['e, Shift+e', 'Next, previous error'],
    ['Space', 'Pause, resume'],
    ['p', 'Pin'],
    ['c', 'Copy as cURL'],
    ['s', 'Show this session only'],
    ['Shift+F10', 'Menu of the row'],
    [`${command}E`, 'Export'],
    [`${command}K`, 'Clear list'],
    [`${command}Shift+P`, 'Turn the proxy on or off'],
    [`${command}Shift+L`, 'Copy the lines for Claude Code'],
  ];
  return (
    <Dialog title="Keys" action={null} cancel="Close" close={close}>
      <dl className="keys">
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
