import { readFileSync, writeFileSync } from 'node:fs';
import type { Log } from '../../app/ports.ts';

/** px on the desktop, which spans all displays. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface WindowPlace extends Area {
  maximized: boolean;
}

/** What a new window is made with. Without a position the system chooses one. */
type OpeningPlace = { width: number; height: number; x?: number; y?: number; maximized: boolean };

export const leastSize = { width: 720, height: 480 } as const;
const usualSize = { width: 1200, height: 800 } as const;
/** Part of the upper edge that has to be on a display, so that the window can be dragged. */
const grip = { width: 120, height: 40 } as const;
/** Width of a window that is opened beside another: one session, without the list. */
const besideWidth = 860;
/** How far it stands from the other's upper left corner. */
const besideStep = 32;
const mostArrangements = 8;

/**
 * Where a window opens: where it stood with these displays, as large as its display has room for, and never where no
 * display is.
 * `areas`: what programs may use of each display, the main one first.
 */
export function openingPlace(kept: WindowPlace | null, areas: readonly Area[]): OpeningPlace {
  const [main] = areas;
  if (kept === null) return { ...limited(usualSize, main), maximized: false };
  const area = areas.find((one) => overlap(kept, one).width >= grip.width && overlap(kept, one).height >= grip.height);
  if (area === undefined) return { ...limited(kept, main), maximized: kept.maximized };
  return { x: kept.x, y: kept.y, ...limited(kept, area), maximized: kept.maximized };
}

/**
 * Where a further window opens: a step to the right of and below this one, and past the windows that stand there
 * already.
 */
export function placeBeside(from: Area, open: readonly Area[], areas: readonly Area[]): OpeningPlace {
  const isTaken = (x: number, y: number): boolean => open.some((one) => one.x === x && one.y === y);
  let { x, y } = from;
  while (isTaken(x, y)) {
    x += besideStep;
    y += besideStep;
  }
  return openingPlace({ x, y, width: besideWidth, height: from.height, maximized: false }, areas);
}

/** A name for an arrangement of displays. */
export function arrangementOf(areas: readonly Area[]): string {
  return areas
    .map(({ x, y, width, height }) => `${width}x${height}+${x}+${y}`)
    .toSorted()
    .join(' ');
}

/**
 * The places by arrangement of displays, in a file of the window's profile. Losing it costs a place, so nothing here
 * throws.
 */
export class WindowPlaces {
  readonly #path: string;
  readonly #log: Log;

  constructor(path: string, log: Log) {
    this.#path = path;
    this.#log = log;
  }

  find(areas: readonly Area[]): WindowPlace | null {
    return this.#read().get(arrangementOf(areas)) ?? null;
  }

  keep(areas: readonly Area[], place: WindowPlace): void {
    const places = this.#read();
    const key = arrangementOf(areas);
    places.delete(key);
    places.set(key, place);
    try {
      writeFileSync(this.#path, JSON.stringify(Object.fromEntries([...places].slice(-mostArrangements))), {
        mode: 0o600,
      });
    } catch (error) {
      this.#log.write('warn', 'window-place-not-kept', { why: error instanceof Error ? error.message : String(error) });
    }
  }

  #read(): Map<string, WindowPlace> {
    try {
      const kept: unknown = JSON.parse(readFileSync(this.#path, 'utf8'));
      if (typeof kept !== 'object' || kept === null) return new Map();
      const places = new Map<string, WindowPlace>();
      for (const [key, place] of Object.entries(kept)) if (isPlace(place)) places.set(key, place);
      return places;
    } catch {
      return new Map();
    }
  }
}

function isPlace(value: unknown): value is WindowPlace {
  if (typeof value !== 'object' || value === null) return false;
  const place: { [Key in keyof WindowPlace]?: unknown } = value;
  const sides = [place.x, place.y, place.width, place.height];
  return sides.every((side) => Number.isSafeInteger(side)) && typeof place.maximized === 'boolean';
}

function limited({ width, height }: { width: number; height: number }, area: Area | undefined) {
  return {
    width: Math.max(leastSize.width, Math.min(width, area?.width ?? width)),
    height: Math.max(leastSize.height, Math.min(height, area?.height ?? height)),
  };
}

/** Overlap of a window's upper edge with an area. */
function overlap(place: Area, area: Area): { width: number; height: number } {
  const right = Math.min(place.x + place.width, area.x + area.width);
  const lower = Math.min(place.y + grip.height, area.y + area.height);
  return { width: right - Math.max(place.x, area.x), height: lower - Math.max(place.y, area.y) };
}
