import { type CSSProperties, memo, useMemo } from 'react';
import { plainLook, type TerminalLook, terminalRuns } from './terminal-runs.ts';

/** What a program printed, with its colours; every other escape is dropped. */
export const Terminal = memo(function Terminal({ text }: { text: string }) {
  const runs = useMemo(() => terminalRuns(text), [text]);
  return runs.map(({ text: words, look }, index) =>
    look === plainLook ? (
      words
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text that stays as it is.
      <span key={index} className={classesOf(look)} style={styleOf(look)}>
        {words}
      </span>
    ),
  );
});

function classesOf(look: TerminalLook): string {
  const { colour, ground } = look;
  const classes = [
    typeof colour === 'number' && `fg-${colour}`,
    typeof ground === 'number' && `on-${ground}`,
    ...(['bold', 'dim', 'italic', 'underline', 'struck', 'inverse'] as const).map((name) => look[name] && name),
  ];
  return classes.filter(Boolean).join(' ');
}

/** Colours of the program's own choice come with their ground or as near to it as the theme can read. */
function styleOf({ colour, ground }: TerminalLook): CSSProperties | undefined {
  const style: CSSProperties = {};
  if (typeof colour === 'string') style.color = typeof ground === 'string' ? colour : readable(colour);
  if (typeof ground === 'string') style.backgroundColor = ground;
  return Object.keys(style).length === 0 ? undefined : style;
}

const readable = (colour: string): string =>
  `light-dark(color-mix(in srgb, ${colour} 55%, black), color-mix(in srgb, ${colour} 65%, white))`;
