import type { ReactNode } from 'react';
import { t } from '../../../app/language/translate.ts';
import { inSentence } from '../../../app/words/text.ts';
import { IconButton } from '../../parts/button.tsx';
import { Copy } from '../../parts/icons.tsx';
import { copyText } from '../../state/copy-text.ts';
import { useServices } from '../../state/services.ts';

export interface KeyValue {
  name: string;
  value: ReactNode;
  /** Set in monospace: names and ids. */
  mono?: boolean;
  /** Can be copied. */
  copy?: string;
}

/** A list of names and values; those that are null are left out. */
export function KeyValues({ entries }: { entries: readonly (KeyValue | null)[] }) {
  const { store } = useServices();
  return (
    <dl className="key-values">
      {entries.map(
        (entry) =>
          entry !== null && (
            <div key={entry.name}>
              <dt>{entry.name}</dt>
              <dd className={entry.mono === true ? 'mono' : undefined}>
                {entry.value}
                {entry.copy !== undefined && (
                  <IconButton
                    className="copy-value"
                    size="small"
                    label={t('Copy {name}', { name: inSentence(entry.name) })}
                    icon={<Copy size={14} />}
                    onClick={() => void copyText(store, entry.copy ?? '')}
                  />
                )}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}
