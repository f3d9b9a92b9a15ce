const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const two = (n: number): string => String(n).padStart(2, '0');

/** `1 Dec 2026, 01:00`, local. */
export function spokenDate(at: number): string {
  const date = new Date(at);
  return `${date.getDate()} ${months[date.getMonth()]} ${date.getFullYear()}, ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `Mon 23 Nov, 09:40`, local: for a time that is days away at most. */
export function spokenDay(at: number): string {
  const date = new Date(at);
  return `${days[date.getDay()]} ${date.getDate()} ${months[date.getMonth()]}, ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `45 seconds`, `3 minutes`, `5 hours`, `5 days`: rounded up, so that nobody comes back too early. */
export function spokenWait(seconds: number): string {
  const say = (n: number, unit: string): string => `${n} ${unit}${n === 1 ? '' : 's'}`;
  if (seconds < 60) return say(Math.ceil(seconds), 'second');
  if (seconds < 3600) return say(Math.ceil(seconds / 60), 'minute');
  if (seconds < 48 * 3600) return say(Math.ceil(seconds / 3600), 'hour');
  return say(Math.ceil(seconds / 86400), 'day');
}
