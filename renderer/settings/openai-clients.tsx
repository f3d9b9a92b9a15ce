import { useEffect, useState } from 'react';
import { atOnceBounds } from '../../app/api/setting-bounds.ts';
import type { OpenaiSettings, Preferences } from '../../app/api/settings.ts';
import type { LinesFor, Shell } from '../../app/api/setup.ts';
import { Button } from '../parts/button.tsx';
import { NumberField } from '../parts/text-field.tsx';
import { useActions } from '../state/actions.ts';
import { useServices } from '../state/services.ts';
import { type Choice, Section, SelectSetting, Setting, SwitchSetting, useChange } from './setting.tsx';

interface Copied {
  what: LinesFor;
  /** On the button. */
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

/** What programs for OpenAI's APIs are told to find the proxy: to look at without the key, and to copy with it. */
export function OpenaiClientsSection({ preferences }: { preferences: Preferences }) {
  const shell = preferences.shell ?? preferences.ownShell;
  return (
    <Section id="openai-clients" title="OpenAI clients">
      {openaiClients.map((client) => (
        <ClientSetting key={client.title} {...client} shell={shell} />
      ))}
      <AtOnce openai={preferences.openai} />
      <SwitchSetting
        title="Stream unless told otherwise"
        help="For old programs that expect a stream without asking for it."
        on={preferences.openai.streamByDefault}
        changeFor={(on) => ({ openai: { streamByDefault: on } })}
      />
      <HistoryTurns openai={preferences.openai} />
    </Section>
  );
}

/** What clients of MCP, and editors that speak ACP, are told to find Jumpseat. */
export function McpAndEditorsSection({ preferences }: { preferences: Preferences }) {
  const shell = preferences.shell ?? preferences.ownShell;
  return (
    <Section id="mcp-and-editors" title="MCP and editors">
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

function AtOnce({ openai }: { openai: OpenaiSettings }) {
  const { change, error, clear } = useChange();
  const [wrong, setWrong] = useState(false);
  return (
    <Setting
      title="Requests at once"
      help="Of each client. 32 more wait for their turn; what comes then gets error 429."
      error={wrong ? `Choose a number from ${atOnceBounds.least} to ${atOnceBounds.most}.` : error}
    >
      <NumberField
        label="Requests at once"
        value={openai.atOnce}
        digits={4}
        invalid={wrong || error !== null}
        done={(value) => {
          const allowed = value !== null && value >= atOnceBounds.least && value <= atOnceBounds.most;
          setWrong(!allowed);
          if (allowed) void change({ openai: { atOnce: value } });
        }}
        typed={() => {
          setWrong(false);
          clear();
        }}
      />
    </Setting>
  );
}

const everything = 'all';
const usual: readonly number[] = [1, 3, 5, 10, 20, 50];

/** A number of turns that was written into settings.json is one of the choices. */
function HistoryTurns({ openai }: { openai: OpenaiSettings }) {
  const { historyTurns } = openai;
  const numbers = [...new Set([...usual, ...(historyTurns === null ? [] : [historyTurns])])].sort((a, b) => a - b);
  const choices: Choice<string>[] = [
    { value: everything, label: 'All turns' },
    ...numbers.map((turns) => ({
      value: String(turns),
      label: turns === 1 ? 'The last turn' : `The last ${turns} turns`,
    })),
  ];
  return (
    <SelectSetting
      title="What of a conversation is sent"
      help="In Chat Completions. The last system message always is; the log says what was left out."
      chosen={historyTurns === null ? everything : String(historyTurns)}
      choices={choices}
      changeFor={(chosen) => ({ openai: { historyTurns: chosen === everything ? null : Number(chosen) } })}
    />
  );
}
