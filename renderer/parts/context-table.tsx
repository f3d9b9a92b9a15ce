import { t } from '../../app/language/translate.ts';
import type { ContextWords } from '../../app/words/context.ts';

/** What fills the context of a conversation, with what a request pays for it. */
export function ContextTable({ context: { note, lines } }: { context: ContextWords }) {
  const isPriced = lines.some(({ cached, fresh }) => cached !== '' || fresh !== '');
  return (
    <>
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t('Part')}</th>
            <th scope="col">{t('Tokens')}</th>
            {isPriced && <th scope="col">{t('Credits, cached')}</th>}
            {isPriced && <th scope="col">{t('Credits, fresh')}</th>}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ name, tokens, cached, fresh }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{tokens}</td>
              {isPriced && <td className="muted">{cached}</td>}
              {isPriced && <td>{fresh}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="muted small">{note}</p>
    </>
  );
}
