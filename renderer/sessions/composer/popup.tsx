import { type HTMLAttributes, useLayoutEffect, useRef } from 'react';

export interface PopupProps extends HTMLAttributes<HTMLDivElement> {
  /** It stands over the composer that this is in, or below it where there is more room. */
  anchor: HTMLElement;
  /** `fill`: as wide as the anchor. `start`: it begins where the anchor does, and ends within the composer. */
  align: 'fill' | 'start';
  /** Closes it when there is a click beside it. Absent: it stays until it leaves the page, and takes no focus. */
  close?: () => void;
}

const gap = 6;
/** What was typed for stays in sight. */
const tallestFill = 320;
const edge = 8;

/** A list over the page, at an element of it. */
export function Popup({ anchor, align, close, className, children, ...rest }: PopupProps) {
  const popup = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const shown = popup.current;
    if (shown === null) return;
    shown.showPopover();
    const put = (): void => place(shown, anchor, align);
    put();
    const sizes = new ResizeObserver(put);
    sizes.observe(shown);
    sizes.observe(anchor);
    window.addEventListener('resize', put);
    return () => {
      sizes.disconnect();
      window.removeEventListener('resize', put);
    };
  }, [anchor, align]);
  return (
    <div
      ref={popup}
      className={['menu', 'composer-popup', className ?? ''].filter(Boolean).join(' ')}
      popover={close === undefined ? 'manual' : 'auto'}
      onToggle={(event) => {
        if (event.newState === 'closed') close?.();
      }}
      {...rest}
    >
      {children}
    </div>
  );
}

function place(popup: HTMLElement, anchor: HTMLElement, align: PopupProps['align']): void {
  const { left, width } = anchor.getBoundingClientRect();
  const { top, bottom, right } = (anchor.closest('.composer') ?? anchor).getBoundingClientRect();
  if (align === 'fill') popup.style.width = `${width}px`;
  const above = top - gap - edge;
  const below = window.innerHeight - bottom - gap - edge;
  const room = Math.max(80, above, below);
  popup.style.maxHeight = `${align === 'fill' ? Math.min(tallestFill, room) : room}px`;
  const size = popup.getBoundingClientRect();
  const isAbove = size.height <= above || above >= below;
  popup.style.top = `${isAbove ? Math.max(edge, top - gap - size.height) : bottom + gap}px`;
  const last = Math.min(right, window.innerWidth - edge) - size.width;
  popup.style.left = `${Math.max(edge, Math.min(left, last))}px`;
}
