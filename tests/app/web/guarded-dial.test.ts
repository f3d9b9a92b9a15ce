import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { isLocalName, isPublicAddress } from '../../../app/web/guarded-dial.ts';

describe('isPublicAddress', () => {
  it.each(['93.184.216.34', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '64:ff9b::101:101', '::ffff:1.1.1.1'])(
    '%s is on the open internet',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    ...['127.0.0.1', '127.8.8.8', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1'],
    ...['169.254.169.254', '168.63.129.16', '100.100.100.200', '192.0.0.192', '224.0.0.1', '255.255.255.255'],
    ...['::', '::1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '::ffff:127.0.0.1'],
    ...['::ffff:7f00:1', '::127.0.0.1', '64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe', '2002:7f00:1::', '2001:0:1::1'],
    ...['', 'localhost', '127.1', '1.1.1.1.1'],
  ])('%s is not', (address) => expect(isPublicAddress(address)).toBe(false));

  it('no address of this machine is', () => {
    const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    expect(own.filter(({ address }) => isPublicAddress(address))).toEqual([]);
  });
});

describe('isLocalName', () => {
  it.each(['wiki', 'localhost', 'localhost.', 'a.localhost', 'printer.local', 'metadata.google.internal', 'x.corp'])(
    '%s',
    (name) => expect(isLocalName(name)).toBe(true),
  );
  it.each(['example.com', 'local.example', 'corp.example.com.'])('not %s', (name) =>
    expect(isLocalName(name)).toBe(false),
  );
});
