import { beforeEach, describe, expect, it } from 'vitest';
import { movableSecrets } from '../../../app/adapters/movable-secrets.ts';
import type { Secrets } from '../../../app/ports.ts';
import { FaultySecrets, noKeychain } from './faulty-secrets.ts';

describe('a store that can be moved', () => {
  let keychain: FaultySecrets;
  let file: FaultySecrets;
  let secrets: Secrets;

  beforeEach(() => {
    keychain = new FaultySecrets('keychain', { 'github-token': 'token', 'local-key': 'key' });
    file = new FaultySecrets('file');
    secrets = movableSecrets(keychain, (storage) => (storage === 'file' ? file : keychain));
  });
  const all = () => ({ storage: secrets.storage, keychain: keychain.held, file: file.held });
  const before = { storage: 'keychain', keychain: { 'github-token': 'token', 'local-key': 'key' }, file: {} };
  const move = (held: Parameters<NonNullable<Secrets['moveTo']>>[1] = {}, settle = async () => {}) =>
    secrets.moveTo?.('file', held, settle);

  it('takes everything along, settles while both hold it, and empties the old one', async () => {
    let meanwhile = {};
    await move({}, async () => {
      meanwhile = all();
    });
    expect([meanwhile, all()]).toEqual([
      { ...before, file: before.keychain },
      { storage: 'file', keychain: {}, file: before.keychain },
    ]);
    await secrets.set('local-key', 'new');
    expect([await secrets.get('local-key'), keychain.held]).toEqual(['new', {}]);
  });

  it('what the process holds counts more, also where the old one cannot be read', async () => {
    keychain.trouble = noKeychain;
    await move({ 'local-key': 'in use' });
    expect([secrets.storage, file.held]).toEqual(['file', { 'local-key': 'in use' }]);
  });

  it('leaves nothing of an earlier time in the new one', async () => {
    keychain.values.delete('github-token');
    file.values.set('github-token', 'of last year');
    await move();
    expect(file.held).toEqual({ 'local-key': 'key' });
  });

  it.each([
    ['the other is not there', { trouble: noKeychain }, noKeychain.reason],
    ['the other takes only a part', { refused: 'local-key' }, 'The disk is full.'],
  ])('stays where it was when %s', async (_name, fault, message) => {
    Object.assign(file, fault);
    await expect(move()).rejects.toThrow(message);
    expect(all()).toEqual(before);
  });

  it('stays where it was when it cannot be settled', async () => {
    await expect(move({}, () => Promise.reject(new Error('read-only')))).rejects.toThrow('read-only');
    expect(all()).toEqual(before);
  });

  it('goes where another process has moved everything, and touches nothing', async () => {
    file.values.set('local-key', 'moved');
    await secrets.follow?.('file');
    expect([await secrets.get('local-key'), all()]).toEqual([
      'moved',
      { ...before, storage: 'file', file: { 'local-key': 'moved' } },
    ]);
  });
});
