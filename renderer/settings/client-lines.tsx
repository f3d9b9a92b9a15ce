import classNames from 'classnames/bind';
import { useEffect, useState } from 'react';
import type { ClientName, LinesFor } from '../../app/api/setup.ts';
import { type Message, msg } from '../../app/language/messages.ts';
import { t, translated } from '../../app/language/translate.ts';
import { Button } from '../parts/button.tsx';
import difference from '../parts/difference.module.css';
import { shellOf, useActions } from '../state/actions.ts';
import { useServices } from '../state/services.ts';
import styles from './settings.module.css';

const css = classNames.bind({ ...difference, ...styles });

/** Lines that a person pastes. */
interface Pasted {
  what: LinesFor;
  /** Of its button. */
  copy: Message;
  /** When they were copied. */
  said: Message;
  /** Where they go; null: into the shell. */
  file: string | null;
  /** The same in words, where it has no name. */
  place?: Message;
}

const variables: Pasted = {
  ...{ what: 'openai', copy: msg('Copy variables'), said: msg('Lines for OpenAI clients copied'), file: null },
};
const form: Pasted = {
  what: 'form',
  copy: msg('Copy address and key'),
  said: msg('Address and key copied'),
  file: null,
  place: msg('The program’s own settings'),
};
const codexFile = '~/.codex/config.toml';
const zedSettings = msg('Zed’s settings.json');

/** For each program what it reads; for one that has no form of its own, OpenAI’s two variables. */
const lines: Readonly<Record<ClientName | 'claude-code' | 'openai' | 'editors' | 'places', readonly Pasted[]>> = {
  'claude-code': [
    { what: 'claude-code', copy: msg('Copy variables'), said: msg('Lines for Claude Code copied'), file: null },
    { what: 'mcp', copy: msg('Copy MCP server'), said: msg('MCP server for Claude Code copied'), file: null },
  ],
  codex: [
    { what: 'codex-config', copy: msg('Copy config'), said: msg('Config for Codex copied'), file: codexFile },
    { what: 'codex', copy: msg('Copy key'), said: msg('Key for Codex copied'), file: null },
    { what: 'mcp-codex', copy: msg('Copy MCP server'), said: msg('MCP server for Codex copied'), file: codexFile },
  ],
  opencode: [variables],
  continue: [variables],
  cline: [variables],
  aider: [variables],
  crush: [variables],
  goose: [form],
  roo: [form],
  vscode: [
    {
      what: 'vscode',
      copy: msg('Copy models'),
      said: msg('Models for VS Code copied'),
      file: 'chatLanguageModels.json',
    },
  ],
  zed: [
    { what: 'acp-zed', copy: msg('Copy agent'), said: msg('Agent for Zed copied'), file: null, place: zedSettings },
    { what: 'zed', copy: msg('Copy models'), said: msg('Models for Zed copied'), file: null, place: zedSettings },
    { what: 'zed-key', copy: msg('Copy key'), said: msg('Key for Zed copied'), file: null },
    {
      what: 'mcp-zed',
      copy: msg('Copy MCP server'),
      said: msg('MCP server for Zed copied'),
      file: null,
      place: zedSettings,
    },
  ],
  jetbrains: [
    {
      what: 'acp-jetbrains',
      copy: msg('Copy agent'),
      said: msg('Agent for JetBrains copied'),
      file: '~/.jetbrains/acp.json',
    },
  ],
  'claude-desktop': [form],
  openai: [variables],
  editors: [
    {
      what: 'acp',
      copy: msg('Copy command'),
      said: msg('Command for editors copied'),
      file: null,
      place: msg('The settings of the editor’s plugin'),
    },
  ],
  places: [
    {
      what: 'docker',
      copy: msg('Copy for Docker'),
      said: msg('Commands for Docker copied'),
      file: 'Docker, Podman',
    },
    {
      what: 'devcontainer',
      copy: msg('Copy for dev containers'),
      said: msg('Lines for dev containers copied'),
      file: 'devcontainer.json',
    },
    { what: 'wsl', copy: msg('Copy for WSL'), said: msg('Commands for WSL copied'), file: 'WSL' },
    { what: 'ssh', copy: msg('Copy for SSH'), said: msg('Commands for SSH copied'), file: 'SSH' },
  ],
};

/** The lines of a program without the key, each with a button that copies it with the key. */
export function ClientLines({ of, title }: { of: keyof typeof lines; title: string }) {
  const { copyLinesFor } = useActions();
  return lines[of].map(({ what, copy, said, file, place = msg('In the shell') }) => (
    <figure key={what} className={css('difference', 'client-lines')}>
      <figcaption>
        {file ?? translated(place)}
        {copyLinesFor !== null && (
          <Button
            look="quiet"
            aria-label={t('{action}: {title}', { action: translated(copy), title })}
            onClick={() => copyLinesFor(what, translated(said))}
          >
            {translated(copy)}
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
