import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configuredRegistry, packedAddress } from '../../../app/packages/download.ts';
import { temporaryFolder } from '../adapters/folder.ts';

const wanted = { name: '@octo/tool', version: '1.2.3', integrity: '', bytes: 1, programs: {} };

const placeholder = (name: string) => `\${${name}}`;

describe('the registry', () => {
  it.each([
    [{}, null, 'https://registry.npmjs.org/'],
    [{}, 'save-exact=true\nregistry = "https://npm.octo.example/all/"\n', 'https://npm.octo.example/all/'],
    [{ HOST: 'npm.octo.example' }, `registry=https://${placeholder('HOST')}/`, 'https://npm.octo.example/'],
    [{}, '@github:registry=https://npm.pkg.github.com/', 'https://registry.npmjs.org/'],
    [{}, '; registry=https://comment.example/', 'https://registry.npmjs.org/'],
    [{ npm_config_registry: 'https://one.example/' }, 'registry=https://two.example/', 'https://one.example/'],
    [{ NPM_CONFIG_REGISTRY: 'http://127.0.0.1:4873' }, null, 'http://127.0.0.1:4873/'],
  ])('with %j and %j is %s', async (env, npmrc, address) => {
    const home = temporaryFolder();
    if (npmrc !== null) writeFileSync(join(home, '.npmrc'), npmrc);
    expect((await configuredRegistry(env, home)).href).toBe(address);
  });

  it.each([
    'http://npm.octo.example/',
    'https://name:password@npm.octo.example/',
    'https://npm.octo.example/?key=password',
    'file:///password',
    placeholder('PASSWORD'),
  ])('is not %s, and the address is not repeated', async (address) => {
    const failure = await configuredRegistry({ npm_config_registry: address }, '/nowhere').catch((error) => error);
    expect(failure).toMatchObject({ name: 'PackageError', kind: 'registry' });
    expect(`${failure.message} ${failure.remedy}`).not.toMatch(/password@|=password|\/password|PASSWORD|octo/u);
    expect(failure.message).toContain('npm_config_registry');
  });

  it('keeps a packed file where npm looks for it', () => {
    const address = (base: string) => packedAddress(new URL(base), wanted).href;
    expect(address('https://registry.npmjs.org')).toBe('https://registry.npmjs.org/@octo/tool/-/tool-1.2.3.tgz');
    expect(address('https://npm.octo.example/all')).toBe('https://npm.octo.example/all/@octo/tool/-/tool-1.2.3.tgz');
  });
});
