import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inProject, manifest } from '../lib/project.mjs';
import { quiet } from '../lib/run.mjs';

/** What isn't bundled but goes into packages as it is. */
const besides = ['keytar', 'electron', 'node'];

/**
 * What is in a release as SPDX 2.3: every package that went into the build, as Vite listed it, and what is packed
 * beside it. `npm sbom` would list what is installed, and misses what packages of others have bundled.
 * @param {string} dist a build @param {string} created the time of the commit: `2026-11-26T18:00:00Z`
 */
export function sbom(dist, created) {
  const { name, version, license, homepage } = manifest();
  const lock = JSON.parse(readFileSync(inProject('package-lock.json'), 'utf8')).packages;
  const packages = listed(dist).map((one) => described(one, lock));
  const own = {
    ...{ SPDXID: 'SPDXRef-jumpseat', name, versionInfo: version, homepage },
    ...{ downloadLocation: 'NOASSERTION', filesAnalyzed: false, primaryPackagePurpose: 'APPLICATION' },
    ...{ licenseConcluded: license, licenseDeclared: license, copyrightText: 'The Jumpseat authors' },
  };
  const hash = createHash('sha256').update(JSON.stringify(packages)).digest('hex');
  return {
    ...{ spdxVersion: 'SPDX-2.3', dataLicense: 'CC0-1.0', SPDXID: 'SPDXRef-DOCUMENT' },
    name: `${name}-${version}`,
    documentNamespace: `${homepage}/spdx/${name}-${version}-${hash.slice(0, 16)}`,
    creationInfo: { created, creators: ['Organization: The Jumpseat authors', 'Tool: scripts/releasing/sbom.mjs'] },
    packages: [own, ...packages],
    relationships: [
      { spdxElementId: 'SPDXRef-DOCUMENT', relationshipType: 'DESCRIBES', relatedSpdxElement: own.SPDXID },
      ...packages.map(({ SPDXID }) => ({
        ...{ spdxElementId: own.SPDXID, relationshipType: 'CONTAINS', relatedSpdxElement: SPDXID },
      })),
    ],
  };
}

/** When the newest commit was made: the same sources give the same list. */
export async function commitTime() {
  const { code, stdout } = await quiet('git', ['log', '-1', '--format=%ct'], { cwd: inProject() });
  const at = code === 0 ? Number(stdout) * 1000 : Date.now();
  return new Date(at).toISOString().replace('.000Z', 'Z');
}

function listed(dist) {
  const lists = readdirSync(dist)
    .map((part) => join(dist, part, 'licenses.json'))
    .filter((file) => existsSync(file))
    .flatMap((file) => JSON.parse(readFileSync(file, 'utf8')));
  const packed = besides.map((each) => {
    const { name, version, license } = JSON.parse(
      readFileSync(inProject('node_modules', each, 'package.json'), 'utf8'),
    );
    return { name, version, identifier: license };
  });
  const once = new Map([...lists, ...packed].map((one) => [`${one.name}@${one.version}`, one]));
  return [...once.keys()].sort().map((key) => once.get(key));
}

function described({ name, version, identifier }, lock) {
  const license = /^[\w.+() -]+$/.test(identifier ?? '') ? identifier : 'NOASSERTION';
  const integrity = integrityOf(name, version, lock);
  const checksumValue = integrity && Buffer.from(integrity, 'base64').toString('hex');
  return {
    SPDXID: `SPDXRef-${`${name}-${version}`
      .replace(/[^\w.-]+/g, '-')
      .replaceAll('_', '-')
      .replace(/^-/, '')}`,
    ...{ name, versionInfo: version, filesAnalyzed: false },
    downloadLocation: `https://registry.npmjs.org/${name}/-/${name.split('/').at(-1)}-${version}.tgz`,
    ...(checksumValue && { checksums: [{ algorithm: 'SHA512', checksumValue }] }),
    ...{ licenseConcluded: 'NOASSERTION', licenseDeclared: license, copyrightText: 'NOASSERTION' },
    externalRefs: [
      {
        ...{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl' },
        referenceLocator: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      },
    ],
  };
}

/** Of the packed file, from package-lock.json; undefined: another package has bundled it. */
function integrityOf(name, version, lock) {
  const found = Object.entries(lock).find(
    ([path, entry]) => (entry.name ?? path.split('node_modules/').at(-1)) === name && entry.version === version,
  );
  return /sha512-(\S+)/.exec(found?.[1].integrity ?? '')?.[1];
}
