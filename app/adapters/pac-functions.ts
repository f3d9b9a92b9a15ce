import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * The functions that a PAC script may call, as browsers have them (Netscape's “Proxy Auto-Config File Format”, and
 * Microsoft's with Ex at the end). They are given what an untrusted script has: each takes anything, and ends soon.
 */

interface PacSurroundings {
  now: Date;
  /** IP address of this machine on the way to the internet. */
  ownAddress: string;
  /** Empty if there are none. */
  addressesOf(name: string): readonly string[];
}

type Given = readonly unknown[];
export type PacFunctions = Readonly<Record<string, (...given: Given) => string | number | boolean | null>>;

export function pacFunctions({ now, ownAddress, addressesOf }: PacSurroundings): PacFunctions {
  const all = (name: string): readonly string[] => (isIP(name) > 0 ? [name] : addressesOf(name));
  const first = (name: string): string | null => all(name).find((address) => isIPv4(address)) ?? null;
  return {
    alert: () => null,
    isPlainHostName: (host) => !text(host).includes('.'),
    dnsDomainIs: (host, domain) => text(host).toLowerCase().endsWith(text(domain).toLowerCase()),
    localHostOrDomainIs: (host, whole) => text(host) === text(whole) || text(whole).startsWith(`${text(host)}.`),
    dnsDomainLevels: (host) => text(host).split('.').length - 1,
    isResolvable: (host) => first(text(host)) !== null,
    dnsResolve: (host) => first(text(host)),
    isInNet: (host, network, mask) => isInNet(first(text(host)), text(network), text(mask)),
    convert_addr: (address) => number(text(address)) | 0,
    myIpAddress: () => ownAddress,
    shExpMatch: (name, pattern) => matches(text(name), text(pattern)),
    weekdayRange: (...given) => isInWeekdays(now, given),
    dateRange: (...given) => isInDates(now, given),
    timeRange: (...given) => isInTimes(now, given),
    isResolvableEx: (host) => all(text(host)).length > 0,
    dnsResolveEx: (host) => all(text(host)).join(';'),
    myIpAddressEx: () => ownAddress,
    isInNetEx: (address, prefix) => isInPrefix(text(address), text(prefix)),
    sortIpAddressList: (list) => text(list).split(';').sort().join(';'),
    getClientVersion: () => '1.0',
  };
}

const longestText = 10_000;

function text(given: unknown): string {
  return typeof given === 'string' || typeof given === 'number' ? String(given).slice(0, longestText) : '';
}

function number(address: string): number {
  return isIPv4(address) ? address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0) : 0;
}

function isInNet(address: string | null, network: string, mask: string): boolean {
  if (address === null || !isIPv4(network) || !isIPv4(mask)) return false;
  return (number(address) & number(mask)) === (number(network) & number(mask));
}

function isInPrefix(address: string, prefix: string): boolean {
  const [network = '', bits = ''] = prefix.split('/', 2);
  const version = isIP(network);
  if (version === 0 || isIP(address) !== version || !/^\d{1,3}$/.test(bits)) return false;
  if (Number(bits) > (version === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  const family = version === 4 ? 'ipv4' : 'ipv6';
  list.addSubnet(network, Number(bits), family);
  return list.check(address, family);
}

/** `*` is any text, `?` any character. No expression, which a pattern could keep busy for ever. */
function matches(name: string, pattern: string): boolean {
  let [at, atPattern, star, restart] = [0, 0, -1, 0];
  while (at < name.length) {
    const wanted = pattern[atPattern];
    if (wanted === '*') {
      star = atPattern;
      restart = at;
      atPattern += 1;
    } else if (wanted !== undefined && (wanted === '?' || wanted === name[at])) {
      at += 1;
      atPattern += 1;
    } else if (star >= 0) {
      restart += 1;
      at = restart;
      atPattern = star + 1;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(atPattern));
}

const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** The last word `GMT` says in which zone the others are. */
function inZone(given: Given): { values: string[]; isGmt: boolean } {
  const values = given.map(text).filter((value) => value !== '');
  const isGmt = values.at(-1) === 'GMT';
  return { values: isGmt ? values.slice(0, -1) : values, isGmt };
}

function isInWeekdays(now: Date, given: Given): boolean {
  const { values, isGmt } = inZone(given);
  const [first = -1, last = first] = values.map((value) => weekdays.indexOf(value));
  if (first < 0 || last < 0) return false;
  return isBetween(first, isGmt ? now.getUTCDay() : now.getDay(), last);
}

/** One who begins later than they end goes on over midnight, the end of the week, or of the year. */
function isBetween(first: number, middle: number, last: number): boolean {
  return first <= last ? first <= middle && middle <= last : middle >= first || middle <= last;
}

/** Days, months and years, one of each at most, the same ones in both halves. */
function isInDates(now: Date, given: Given): boolean {
  const { values, isGmt } = inZone(given);
  if (values.length === 0) return false;
  const today: Dated = isGmt
    ? { year: now.getUTCFullYear(), month: now.getUTCMonth(), day: now.getUTCDate() }
    : { year: now.getFullYear(), month: now.getMonth(), day: now.getDate() };
  const half = values.length === 1 ? 1 : values.length / 2;
  const first = readDate(values.slice(0, half));
  const last = values.length === 1 ? first : readDate(values.slice(half));
  if (first === null || last === null) return false;
  const sum = (date: Dated): number =>
    (first.year === undefined ? 0 : (date.year ?? 0) * 10_000) +
    (first.month === undefined ? 0 : (date.month ?? 0) * 100) +
    (first.day === undefined ? 0 : (date.day ?? 0));
  return isBetween(sum(first), sum(today), sum(last));
}

interface Dated {
  year?: number;
  /** From 0. */
  month?: number;
  day?: number;
}

function readDate(values: readonly string[]): Dated | null {
  const found: Dated = {};
  for (const value of values) {
    const month = months.indexOf(value);
    const count = /^\d{1,4}$/.test(value) ? Number(value) : null;
    if (month >= 0) found.month = month;
    else if (count === null) return null;
    else if (count <= 31) found.day = count;
    else found.year = count;
  }
  return found;
}

/** Hours alone reach to the end of the last one, as do minutes. */
function isInTimes(now: Date, given: Given): boolean {
  const { values, isGmt } = inZone(given);
  const numbers = values.map((value) => (/^\d{1,2}$/.test(value) ? Number(value) : Number.NaN));
  if (numbers.some(Number.isNaN)) return false;
  const [hour, minute, second] = isGmt
    ? [now.getUTCHours(), now.getUTCMinutes(), now.getUTCSeconds()]
    : [now.getHours(), now.getMinutes(), now.getSeconds()];
  if (numbers.length === 1) return hour === numbers[0];
  if (![2, 4, 6].includes(numbers.length)) return false;
  const half = numbers.length / 2;
  const [fromHour = 0, fromMinute = 0, fromSecond = 0] = numbers.slice(0, half);
  const [toHour = 0, toMinute = 59, toSecond = 59] = numbers.slice(half);
  const seconds = (...[h, m, s]: [number, number, number]): number => h * 3_600 + m * 60 + s;
  return isBetween(
    seconds(fromHour, fromMinute, fromSecond),
    seconds(hour, minute, second),
    seconds(toHour, toMinute, toSecond),
  );
}
