import { readFileSync } from 'node:fs';
import { main, Stop } from '../lib/progress.mjs';
import { inProject, manifest } from '../lib/project.mjs';

/** `node scripts/releasing/tag.mjs v1.2.3`: fails if a tag is not the version, or CHANGELOG.md lacks the version. */
await main(async ([tag]) => {
  const { version } = manifest();
  if (tag !== `v${version}`) throw new Stop(`The tag is ${tag}, but package.json says ${version}.`);
  const citation = readFileSync(inProject('CITATION.cff'), 'utf8');
  if (!citation.includes(`\nversion: ${version}\n`)) throw new Stop(`CITATION.cff doesn’t say ${version}.`);
  const changes = readFileSync(inProject('CHANGELOG.md'), 'utf8');
  if (!changes.includes(`\n## [${version}]`)) throw new Stop(`CHANGELOG.md has nothing about ${version}.`);
  return 0;
});
