import classNames from 'classnames/bind';
import { type PointerEvent, useEffect, useState } from 'react';
import { t } from '../../../app/language/translate.ts';
import { keep, recall } from '../../state/preferences.ts';
import styles from './detail.module.css';

const css = classNames.bind(styles);

const widthKey = 'jumpseat.detail-width';
const least = 360;
const usual = 432;
/** What the list keeps beside the panel. */
const listKeeps = 572;

interface DetailWidth {
  width: number;
  set: (width: number) => void;
}

/** How wide a person has drawn the panel, kept on this machine and within what the window allows. */
export function useDetailWidth(): DetailWidth {
  const [drawn, setDrawn] = useState(() => Number(recall(widthKey)) || usual);
  const [room, setRoom] = useState(roomFor);
  useEffect(() => {
    const measure = (): void => setRoom(roomFor());
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);
  return {
    width: Math.max(least, Math.min(drawn, room)),
    set: (width) => {
      const next = Math.round(Math.max(least, Math.min(width, roomFor())));
      keep(widthKey, String(next));
      setDrawn(next);
    },
  };
}

function roomFor(): number {
  const sidebar = window.innerWidth < 900 ? 52 : 212;
  return Math.min(window.innerWidth * 0.6, window.innerWidth - sidebar - listKeeps);
}

/** The edge between list and panel; it can be drawn, and moved with the arrow keys. */
export function DetailEdge({ width: { width, set } }: { width: DetailWidth }) {
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    set(window.innerWidth - event.clientX);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a line that can be moved is no rule between paragraphs.
    <div
      className={css('detail-edge')}
      role="separator"
      aria-orientation="vertical"
      aria-label={t('Width of the details')}
      aria-valuenow={width}
      aria-valuemin={least}
      aria-valuemax={Math.round(Math.max(least, roomFor()))}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={(event) => {
        const step = { ArrowLeft: 16, ArrowRight: -16 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        set(width + step);
      }}
    />
  );
}
