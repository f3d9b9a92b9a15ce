import { useState } from 'react';
import type { KeyedEngine, SearchKeyState } from '../../app/api/search.ts';
import { type Message, msg } from '../../app/language/messages.ts';
import { sentences } from '../../app/language/sentences.ts';
import { t, translated } from '../../app/language/translate.ts';
import { engineNames } from '../../app/words/search.ts';
import { BridgeError } from '../bridge/bridge.ts';
import { Button } from '../parts/button.tsx';
import { useServices } from '../state/services.ts';
import { Setting } from './setting.tsx';

const words: Readonly<Record<SearchKeyState, Message>> = {
  none: msg('No key yet. It will be stored as your GitHub token is, never in settings.json.'),
  kept: msg('A key is stored. It stays when you sign out.'),
  environment: msg('The key comes from the environment.'),
  refused: msg('The engine refused this key. Enter a new key.'),
};

/** A key goes in and never comes out again. */
export function SearchKeySetting(props: { engine: KeyedEngine; state: SearchKeyState; changed: () => Promise<void> }) {
  const { engine, state, changed } = props;
  const { bridge } = useServices();
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const title = t('Key for {engine}', { engine: engineNames[engine] });
  const keep = async (key: string | null): Promise<void> => {
    try {
      await bridge.setSearchKey(engine, key);
      setText('');
      setError(null);
      await changed();
    } catch (reason) {
      const why = reason instanceof Error ? reason.message : String(reason);
      const words = t('The key couldn’t be saved. {why}', { why });
      setError(reason instanceof BridgeError ? sentences(words, reason.remedy) : words);
    }
  };
  return (
    <Setting
      title={title}
      help={state === 'refused' ? undefined : translated(words[state])}
      error={error ?? refused(state)}
    >
      {state !== 'environment' && (
        <>
          <input
            className="number text secret"
            type="text"
            autoComplete="off"
            spellCheck={false}
            size={18}
            aria-label={title}
            aria-invalid={error !== null}
            placeholder={state === 'none' ? '' : '••••••••'}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && text !== '') void keep(text);
            }}
          />
          {state !== 'none' && (
            <Button
              look="quiet"
              aria-label={t('Delete the key for {engine}', { engine: engineNames[engine] })}
              onClick={() => void keep(null)}
            >
              {t('Delete')}
            </Button>
          )}
          {/* Last, so that Delete never comes under a second click. */}
          <Button disabled={text === ''} onClick={() => void keep(text)}>
            {t('Save')}
          </Button>
        </>
      )}
    </Setting>
  );
}

function refused(state: SearchKeyState): string | null {
  return state === 'refused' ? translated(words.refused) : null;
}
