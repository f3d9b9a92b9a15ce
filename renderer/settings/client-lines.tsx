import { useEffect, useState } from 'react';
import type { ClientName } from '../../app/api/clients.ts';
import type { LinesFor } from '../../app/api/setup.ts';
import { Button } from '../parts/button.tsx';
import { shellOf, useActions } from '../state/actions.ts';
import { useServices } from '../state/services.ts';

/** Lines that a person pastes. */
interface Pasted {
  what: LinesFor;
  /** What they are. */
  name: string;
  /** When they were copied. */
  said: string;
  /** Where they go; null: into the shell. */
  file: string | null;
}

const variables: Pasted = {
  ...{ what: 'openai', name: 'variables', said: 'Lines for OpenAI clients copied', file: null },
};
const form: Pasted = {
  ...{ what: 'form', name: 'address and key', said: 'Address and key copied', file: 'The program’s own settings' },
};
const codexFile = '~/.codex/config.toml';
const zedFile = 'Zed’s settings.json';

/** For each program what it reads; for one that has no form of its own, OpenAI’s two variables. */
const lines: Readonly<Record<ClientName | 'claude-code' | 'openai' | 'editors' | 'places', readonly Pasted[]>> = {
  'claude-code': [
    { what: 'claude-code', name: 'variables', said: 'Lines for Claude Code copied', file: null },
    { what: 'mcp', name: 'MCP server', said: 'MCP server for Claude Code copied', file: null },
  ],
  codex: [
    { what: 'codex-config', name: 'config', said: 'Config for Codex copied', file: codexFile },
    { what: 'codex', name: 'key', said: 'Key for Codex copied', file: null },
    { what: 'mcp-codex', name: 'MCP server', said: 'MCP server for Codex copied', file: codexFile },
  ],
  opencode: [variables],
  continue: [variables],
  cline: [variables],
  aider: [variables],
  crush: [variables],
  goose: [form],
  roo: [form],
  vscode: [{ what: 'vscode', name: 'models', said: 'Models for VS Code copied', file: 'chatLanguageModels.json' }],
  zed: [
    { what: 'acp-zed', name: 'agent', said: 'Agent for Zed copied', file: zedFile },
    { what: 'zed', name: 'models', said: 'Models for Zed copied', file: zedFile },
    { what: 'zed-key', name: 'key', said: 'Key for Zed copied', file: null },
    { what: 'mcp-zed', name: 'MCP server', said: 'MCP server for Zed copied', file: zedFile },
  ],
  jetbrains: [
    { what: 'acp-jetbrains', name: 'agent', said: 'Agent for JetBrains copied', file: '~/.jetbrains/acp.json' },
  ],
  'claude-desktop': [form],
  openai: [variables],
  editors: [
    { what: 'acp', name: 'command', said: 'Command for editors copied', file: 'The settings of the editor’s plugin' },
  ],
  places: [
    { what: 'docker', name: 'for Docker', said: 'Commands for Docker copied', file: 'Docker, Podman' },
    {
      what: 'devcontainer',
      name: 'for dev containers',
      said: 'Lines for dev containers copied',
      file: 'devcontainer.json',
    },
    { what: 'wsl', name: 'for WSL', said: 'Commands for WSL copied', file: 'WSL' },
    { what: 'ssh', name: 'for SSH', said: 'Commands for SSH copied', file: 'SSH' },
  ],
};

/** The lines of a program without the key, each with a button that copies it with the key. */
export function ClientLines({ of, title }: { of: keyof typeof lines; title: string }) {
  const { copyLinesFor } = useActions();
  return lines[of].map(({ what, name, said, file }) => (
    <figure key={what} className="difference client-lines">
      <figcaption>
        {file ?? 'In the shell'}
        {copyLinesFor !== null && (
          <Button look="quiet" aria-label={`Copy ${name}: ${title}`} onClick={() => copyLinesFor(what, said)}>
            Copy {name}
          </Button>
        )}
      </figcaption>
      <Shown what={what} />
    </figure>
  ));
}

function Shown({ what }: Pick<Pasted, 'what'>) {
  const { bridge, store } = useServices();
  const shell = shellOf(store);
  const [text, setText] = useState('…');
  useEffect(() => {
    let current = true;
    const tell = (said: string): void => {
      if (current) setText(said);
    };
    bridge
      .shownLines(shell, what)
      .then(tell, (error: unknown) => tell(error instanceof Error ? error.message : String(error)));
    return () => {
      current = false;
    };
  }, [bridge, shell, what]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
    <pre tabIndex={0}>
      <span>{text.trimEnd()}</span>
    </pre>
  );
}
