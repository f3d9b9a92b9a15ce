import { describe, expect, it } from 'vitest';
import { type PacFunctions, pacFunctions } from '../../../app/adapters/pac-functions.ts';

const names: Record<string, readonly string[]> = {
  'intra.octo.example': ['fe80::1', '10.1.2.3'],
  'six.octo.example': ['2001:db8::5'],
};
/** A Wednesday. */
const at = (time: string): PacFunctions =>
  pacFunctions({
    now: new Date(`2026-11-25T${time}Z`),
    ownAddress: '192.168.7.9',
    addressesOf: (name) => names[name] ?? [],
  });
const call = (name: string, ...given: unknown[]): unknown => at('14:30:10')[name]?.(...given);

describe('functions of PAC scripts', () => {
  it.each([
    ['isPlainHostName', ['www'], true],
    ['isPlainHostName', ['www.octo.example'], false],
    ['dnsDomainIs', ['api.GitHub.com', '.github.com'], true],
    ['dnsDomainIs', ['github.com', '.github.com'], false],
    ['localHostOrDomainIs', ['www', 'www.octo.example'], true],
    ['localHostOrDomainIs', ['www.octo.example', 'www.octo.example'], true],
    ['localHostOrDomainIs', ['www.other.example', 'www.octo.example'], false],
    ['dnsDomainLevels', ['a.b.c'], 2],
    ['isResolvable', ['intra.octo.example'], true],
    ['isResolvable', ['six.octo.example'], false],
    ['isResolvableEx', ['six.octo.example'], true],
    ['dnsResolve', ['intra.octo.example'], '10.1.2.3'],
    ['dnsResolve', ['nowhere.example'], null],
    ['dnsResolveEx', ['intra.octo.example'], 'fe80::1;10.1.2.3'],
    ['isInNet', ['intra.octo.example', '10.0.0.0', '255.0.0.0'], true],
    ['isInNet', ['192.168.1.1', '192.168.0.0', '255.255.0.0'], true],
    ['isInNet', ['193.168.1.1', '192.168.0.0', '255.255.0.0'], false],
    ['isInNet', ['nowhere.example', '0.0.0.0', '0.0.0.0'], false],
    ['isInNetEx', ['2001:db8::5', '2001:db8::/32'], true],
    ['isInNetEx', ['10.1.2.3', '10.0.0.0/8'], true],
    ['isInNetEx', ['10.1.2.3', '11.0.0.0/8'], false],
    ['isInNetEx', ['10.1.2.3', '10.0.0.0/99'], false],
    ['convert_addr', ['0.0.1.2'], 258],
    ['myIpAddress', [], '192.168.7.9'],
    ['shExpMatch', ['http://octo.example/a/b', '*/a/*'], true],
    ['shExpMatch', ['octo.example', 'octo?example'], true],
    ['shExpMatch', ['octoXexample', 'octo.example'], false],
    ['shExpMatch', ['octo.example', '*.(example)'], false],
    ['shExpMatch', ['', '*'], true],
  ])('%s(%j) is %j', (name, given, expected) => {
    expect(call(name, ...given)).toBe(expected);
  });

  it.each([
    ['weekdayRange', ['WED', 'GMT'], true],
    ['weekdayRange', ['MON', 'FRI', 'GMT'], true],
    ['weekdayRange', ['SAT', 'TUE', 'GMT'], false],
    ['weekdayRange', ['SUN', 'WED', 'GMT'], true],
    ['dateRange', [25, 'GMT'], true],
    ['dateRange', [1, 15, 'GMT'], false],
    ['dateRange', ['OCT', 'DEC', 'GMT'], true],
    ['dateRange', ['NOV', 'FEB', 'GMT'], true],
    ['dateRange', [2026, 'GMT'], true],
    ['dateRange', [1, 'JUN', 15, 'AUG', 'GMT'], false],
    ['dateRange', [24, 'NOV', 26, 'NOV', 'GMT'], true],
    ['dateRange', ['OCT', 2025, 'MAR', 2027, 'GMT'], true],
    ['dateRange', [1, 'JUN', 2025, 31, 'DEC', 2025, 'GMT'], false],
    ['timeRange', [14, 'GMT'], true],
    ['timeRange', [9, 17, 'GMT'], true],
    ['timeRange', [22, 6, 'GMT'], false],
    ['timeRange', [14, 0, 14, 30, 'GMT'], true],
    ['timeRange', [14, 31, 15, 0, 'GMT'], false],
    ['timeRange', [14, 30, 9, 14, 30, 11, 'GMT'], true],
    ['timeRange', [14, 30, 11, 14, 30, 12, 'GMT'], false],
    ['timeRange', ['noon'], false],
    ['dateRange', ['someday'], false],
    ['weekdayRange', ['DAY'], false],
  ])('on a Wednesday at 14:30:10, %s(%j) is %j', (name, given, expected) => {
    expect(call(name, ...given)).toBe(expected);
  });

  it('take anything and end: an expression of this pattern would run for ever', () => {
    for (const [name, made] of Object.entries(at('00:00:00')))
      expect(() => made(undefined, {}, Number.NaN), name).not.toThrow();
    expect(call('shExpMatch', 'a'.repeat(10_000), `${'*a'.repeat(4_000)}b`)).toBe(false);
  });
});
