import { useEffect, useState } from 'react';
import type { Preferences } from '../../app/api/settings.ts';
import type { LinesFor, Shell } from '../../app/api/setup.ts';
import { Button } from '../parts/button.tsx';
import { useActions } from '../state/actions.ts';
import { useServices } from '../state/services.ts';
import { Field } from './field.tsx';
import { Section, Setting } from './setting.tsx';

interface Copied {
  what: LinesFor;
  /** Label of the button. */
  label: string;
  /** When it is done. */
  said: string;
  /** Where it goes; null: into the shell. */
  file: string | null;
}

interface Client {
  title: string;
  help: string;
  copies: readonly Copied[];
}

const openaiClients: readonly Client[] = [
  {
    title: 'OpenAI’s SDKs and what is built on them',
    help: 'Two variables for the shell chosen above. They hold your local key.',
    copies: [{ what: 'openai', label: 'Copy lines', said: 'Lines for OpenAI clients copied', file: null }],
  },
  {
    title: 'Codex',
    help: 'The provider for its config.toml, once, and the key for the shell.',
    copies: [
      { what: 'codex-config', label: 'Copy config', said: 'Config for Codex copied', file: '~/.codex/config.toml' },
      { what: 'codex', label: 'Copy key', said: 'Key for Codex copied', file: null },
    ],
  },
  {
    title: 'VS Code',
    help: 'Models for its Custom Endpoint provider. They hold your local key.',
    copies: [
      { what: 'vscode', label: 'Copy models', said: 'Models for VS Code copied', file: 'chatLanguageModels.json' },
    ],
  },
];

const mcpAndEditors: readonly Client[] = [
  {
    title: 'Web search for clients of MCP',
    help: 'Jumpseat as an MCP server. Claude Code’s own web search does without.',
    copies: [
      { what: 'mcp', label: 'Copy for Claude Code', said: 'MCP server for Claude Code copied', file: null },
      { what: 'mcp-codex', label: 'Copy for Codex', said: 'MCP server for Codex copied', file: '~/.codex/config.toml' },
      { what: 'mcp-zed', label: 'Copy for Zed', said: 'MCP server for Zed copied', file: 'Zed’s settings.json' },
    ],
  },
  {
    title: 'Sessions in editors',
    help: 'Jumpseat as an agent over ACP: the same sessions, in the editor. No key is in these lines.',
    copies: [
      { what: 'acp-zed', label: 'Copy for Zed', said: 'Agent for Zed copied', file: 'Zed’s settings.json' },
      {
        ...{ what: 'acp-jetbrains', label: 'Copy for JetBrains', said: 'Agent for JetBrains copied' },
        file: '~/.jetbrains/acp.json',
      },
      {
        what: 'acp',
        label: 'Copy for others',
        said: 'Command for editors copied',
        file: 'the settings of the editor’s plugin',
      },
    ],
  },
];

/** Lines for programs for OpenAI's APIs: shown without the key, copied with it. */
export function OpenaiClientsSection({ preferences }: { preferences: Preferences }) {
  const shell = preferences.shell ?? preferences.ownShell;
  return (
    <Section id="openai-clients">
      {openaiClients.map((client) => (
        <ClientSetting key={client.title} {...client} shell={shell} />
      ))}
      <Field name="openai.atOnce" preferences={preferences} />
      <Field name="openai.streamByDefault" preferences={preferences} />
      <Field name="openai.historyTurns" preferences={preferences} />
    </Section>
  );
}

/** Lines for clients of MCP, and for editors that speak ACP. */
export function McpAndEditorsSection({ preferences }: { preferences: Preferences }) {
  const shell = preferences.shell ?? preferences.ownShell;
  return (
    <Section id="mcp-and-editors">
      {mcpAndEditors.map((client) => (
        <ClientSetting key={client.title} {...client} shell={shell} />
      ))}
    </Section>
  );
}

function ClientSetting({ title, help, copies, shell }: Client & { shell: Shell }) {
  const { copyLinesFor } = useActions();
  const { bridge } = useServices();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Setting title={title} help={help}>
        {bridge.shownLines !== null && (
          <Button
            look="quiet"
            aria-expanded={open}
            aria-label={`${open ? 'Hide' : 'Show'} lines: ${title}`}
            onClick={() => setOpen(!open)}
          >
            {open ? 'Hide' : 'Show'}
          </Button>
        )}
        {copyLinesFor !== null &&
          copies.map(({ what, label, said }) => (
            <Button key={what} aria-label={`${label}: ${title}`} onClick={() => copyLinesFor(what, said)}>
              {label}
            </Button>
          ))}
      </Setting>
      {open && copies.map((each) => <Shown key={each.what} {...each} shell={shell} />)}
    </>
  );
}

/** The lines as they are copied, but for the key. */
function Shown({ what, file, shell }: Copied & { shell: Shell }) {
  const { bridge } = useServices();
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
    <figure className="difference client-lines">
      <figcaption>{file ?? 'In the shell'}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard. */}
      <pre tabIndex={0}>
        <span>{text.trimEnd()}</span>
      </pre>
    </figure>
  );
}
