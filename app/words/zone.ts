/** In which times are shown: one choice for everything that a process shows. The terminal never changes it. */

let shown: 'local' | 'utc' = 'local';

export function showTimesIn(zone: 'local' | 'utc'): void {
  shown = zone;
}

export function shownZone(): 'local' | 'utc' {
  return shown;
}

/** What stands behind a time that is written out: ` UTC`, or nothing where the time is local. */
export function zoneSuffix(): string {
  return shown === 'utc' ? ' UTC' : '';
}

/** A moment from its parts as they are shown. Parts beyond their end go on: hour 24 is the next day. */
export function timeOf(year: number, month: number, day: number, hour = 0, minute = 0, second = 0): number {
  return shown === 'utc'
    ? Date.UTC(year, month, day, hour, minute, second)
    : new Date(year, month, day, hour, minute, second).getTime();
}

/** The parts of a moment as they are shown. */
export interface TimeParts {
  year: number;
  /** 0 to 11. */
  month: number;
  day: number;
  /** 0 is Sunday. */
  weekday: number;
  hour: number;
  minute: number;
  second: number;
  millisecond: number;
}

export function timeParts(at: number): TimeParts {
  const date = new Date(at);
  if (shown === 'utc') {
    return {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth(),
      day: date.getUTCDate(),
      weekday: date.getUTCDay(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
      second: date.getUTCSeconds(),
      millisecond: date.getUTCMilliseconds(),
    };
  }
  return {
    year: date.getFullYear(),
    month: date.getMonth(),
    day: date.getDate(),
    weekday: date.getDay(),
    hour: date.getHours(),
    minute: date.getMinutes(),
    second: date.getSeconds(),
    millisecond: date.getMilliseconds(),
  };
}
