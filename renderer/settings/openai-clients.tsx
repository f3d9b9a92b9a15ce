import { useEffect, useState } from 'react';
import type { LinesFor, Preferences, Shell } from '../../app/api.ts';
import { useDeeds } from '../frame/deeds.ts';
import { Button } from '../parts/button.tsx';
import { useServices } from '../state/services.ts';
import { Section, Setting } from './setting.tsx';

interface Copied {
  what: LinesFor;
  /** On the button. */
  label: string;
  /** When it is done. */
  said: string;
  /** Where it goes; null: into the shell. */
  file: string | null;
}

const clients: readonly { title: string; help: string; copies: readonly Copied[] }[] = [
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

/** What programs for OpenAI's APIs are told to find the proxy: to look at without the key, and to copy with it. */
export function OpenaiClientsSection({ preferences }: { preferences: Preferences }) {
  const shell = preferences.shell ?? preferences.ownShell;
  return (
    <Section id="openai-clients" title="OpenAI clients">
      {clients.map((client) => (
        <ClientSetting key={client.title} {...client} shell={shell} />
      ))}
    </Section>
  );
}

function ClientSetting({ title, help, copies, shell }: (typeof clients)[number] & { shell: Shell }) {
  const { copyLinesFor } = useDeeds();
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
      .shownLines?.(shell, what)
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
