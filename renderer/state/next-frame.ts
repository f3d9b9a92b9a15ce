/** Has something done at the next frame, or before long where there are no frames. */
export type Schedule = (work: () => void) => void;

let lastDrawMs = 0;

/**
 * Draws with the next frame. Where the last drawing took longer than a frame, what people do gets as much time before
 * the next one: a burst of requests makes the list slower, not the keyboard. A hidden window has no frames.
 */
export function nextFrame(work: () => void): void {
  if (document.hidden) {
    setTimeout(work, 1000);
    return;
  }
  const draw = (): void => {
    requestAnimationFrame(() => {
      const began = performance.now();
      work();
      // After this frame was laid out and painted.
      setTimeout(() => {
        lastDrawMs = performance.now() - began;
      });
    });
  };
  if (lastDrawMs > 17) setTimeout(draw, Math.min(lastDrawMs, 250));
  else draw();
}
