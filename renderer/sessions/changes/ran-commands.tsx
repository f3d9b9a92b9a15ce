import classNames from 'classnames/bind';
import { useMemo, useState } from 'react';
import type { Changes } from '../../../app/api/sessions.ts';
import { sentences } from '../../../app/language/sentences.ts';
import { t } from '../../../app/language/translate.ts';
import { LinkButton } from '../../parts/button.tsx';
import { Info, Terminal } from '../../parts/icons.tsx';
import type { Block, Conversation, Step } from '../state/conversation.ts';
import { fieldsOf, textOf } from '../state/fields.ts';
import { useConversation } from '../state/hooks.ts';
import { ShownText } from '../text/shown-text.tsx';
import { commandOf } from '../transcript/step-words.ts';
import styles from './changes.module.css';

const css = classNames.bind(styles);

interface RanCommandsProps {
  sessionId: string;
  /** Null for the whole session. */
  turn: string | null;
  /** How many there were; more than are shown where older turns have not been read. */
  count: Pick<Changes, 'commands' | 'untracked'>;
}

/** The commands that ran, and whether what they changed is listed. */
export function RanCommands({ sessionId, turn, count: ran }: RanCommandsProps) {
  const { commands: count } = ran;
  const [isShown, setShown] = useState(false);
  const turns = useConversation(sessionId, (conversation) => (isShown ? conversation.turns : null));
  const steps = useMemo(() => (turns === null ? [] : commandsIn({ turns }, turn)), [turns, turn]);
  if (count === 0) return null;
  return (
    <div className={css('untracked')}>
      <Info size={14} />
      <div>
        {ranWords(ran, turn === null ? 'session' : 'turn')}{' '}
        <LinkButton aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown
            ? t('{count, plural, one {Hide the command} other {Hide the commands}}', { count })
            : t('{count, plural, one {Show the command} other {Show the commands}}', { count })}
        </LinkButton>
        {isShown && (
          <ul className={css('ran-commands')} aria-label={t('Commands')}>
            {steps.map((step) => (
              <Ran key={step.id} step={step} />
            ))}
          </ul>
        )}
        {isShown && steps.length < count && <p>{t('Older commands are in the conversation.')}</p>}
      </div>
    </div>
  );
}

function ranWords({ commands: count, untracked }: RanCommandsProps['count'], where: 'session' | 'turn'): string {
  const ran = t(
    '{count, plural, one {# command} other {# commands}} ran in this {where, select, turn {turn} other {session}}.',
    { count, where },
  );
  const listed =
    untracked === 0
      ? t(
          '{count, plural, one {Its changes} other {Their changes}} in this folder are listed, except files that git ignores.',
          { count },
        )
      : untracked === count
        ? t('{count, plural, one {Its changes} other {Their changes}} aren’t listed and can’t be undone here.', {
            count,
          })
        : t('The changes of {untracked} of them aren’t listed and can’t be undone here.', { untracked });
  return sentences(ran, listed);
}

function Ran({ step }: { step: Step }) {
  // A person may have changed it before it ran.
  const changed = textOf(fieldsOf(step.answered?.answer, 'input'), 'command');
  return (
    <li>
      <Terminal size={14} />
      <span className="mono">
        <ShownText text={changed ?? commandOf(step)} />
      </span>
      {step.exitCode !== null && step.exitCode !== 0 && (
        <span className="minus">{t('exit {code}', { code: step.exitCode })}</span>
      )}
    </li>
  );
}

/** Commands in order, including those of subagents. */
export function commandsIn({ turns }: Pick<Conversation, 'turns'>, turn: string | null): Step[] {
  return turns.filter(({ id }) => turn === null || id === turn).flatMap(({ blocks }) => commandsOf(blocks));
}

function commandsOf(blocks: readonly Block[]): Step[] {
  return blocks.flatMap((block) => {
    if (block.kind !== 'step') return [];
    const hasRun = block.state !== 'denied' && block.state !== 'waiting';
    const own = block.stepKind === 'shell' && hasRun && block.input?.command !== undefined;
    return [...(own ? [block] : []), ...(block.lane === null ? [] : commandsOf(block.lane.blocks))];
  });
}
