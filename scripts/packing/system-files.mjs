import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Stop } from '../lib/progress.mjs';
import { inProject, manifest } from '../lib/project.mjs';
import { quiet } from '../lib/run.mjs';

/** What a package for Linux has beside the app, below /usr/share; `share/` in the folder of a tar.gz. */
const shared = {
  man: 'man/man1/jumpseat.1.gz',
  bash: 'bash-completion/completions/jumpseat',
  zsh: 'zsh/site-functions/_jumpseat',
  fish: 'fish/vendor_completions.d/jumpseat.fish',
  powershell: 'powershell/jumpseat.ps1',
  metainfo: 'metainfo/app.jumpseat.Jumpseat.metainfo.xml',
  license: 'licenses/jumpseat/LICENSE',
};

/**
 * Lays it out below `folder`.
 * @param {string} node a Node 24, which reads the commands from their sources
 * @param {number} time of the version, in seconds
 */
export async function stageShared(folder, node, time) {
  const texts = join(folder, '..', 'texts');
  const { code, output } = await quiet(node, [inProject('scripts', 'packing', 'command-texts.mjs'), texts]);
  if (code !== 0) throw new Stop(`The man page could not be written:\n${output.trim()}`);
  const put = (path, content) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  put(shared.man, gzipSync(readFileSync(join(texts, 'jumpseat.1')), { level: 9 }));
  for (const shell of ['bash', 'zsh', 'fish', 'powershell'])
    put(shared[shell], readFileSync(join(texts, `completion.${shell}`)));
  const metainfo = readFileSync(inProject('resources', 'linux', 'app.jumpseat.Jumpseat.metainfo.xml'), 'utf8');
  const day = new Date(time * 1000).toISOString().slice(0, 10);
  put(shared.metainfo, metainfo.replace('@VERSION@', manifest().version).replace('@DATE@', day));
  put(shared.license, readFileSync(inProject('LICENSE')));
  writeFileSync(join(folder, '..', 'copyright'), copyrightOf(readFileSync(inProject('LICENSE'), 'utf8')));
}

/** For Debian, whose lines are short: what it is, and below that what it does. */
const description = `Claude Code on your GitHub Copilot subscription
 A local proxy for Claude Code and other clients of the Messages API, as a tray
 app and a terminal command. It says who started each request and what it cost.`;

/** Folders that go with the package; rpm knows those alone that it is told of. */
const owned = ['/opt/Jumpseat', '/usr/share/licenses/jumpseat'].flatMap((folder) => ['--directories', folder]);

/** What electron-builder hands to fpm: `from=to`, and the script that runs before a package goes. */
export function fpmOptions(folder, kind) {
  const places = { ...shared };
  if (kind === 'deb') Object.assign(places, { zsh: 'zsh/vendor-completions/_jumpseat', license: null });
  delete places.powershell;
  const files = Object.entries(places).flatMap(([name, to]) =>
    to === null ? [] : [`${join(folder, shared[name])}=/usr/share/${to}`],
  );
  const copyright = `${join(folder, '..', 'copyright')}=/usr/share/doc/jumpseat/copyright`;
  const overrides = `${inProject('resources', 'linux', 'lintian-overrides')}=/usr/share/lintian/overrides/jumpseat`;
  return [
    ...['--before-remove', inProject('resources', 'linux', 'before-remove.sh')],
    ...files,
    ...(kind === 'deb' ? ['--description', description, copyright, overrides] : owned),
    `${inProject('resources', 'linux', 'jumpseat')}=/usr/bin/jumpseat`,
  ];
}

function copyrightOf(license) {
  const paragraphs = license
    .trim()
    .split('\n')
    .map((line) => ` ${line || '.'}`);
  return `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Jumpseat
Source: ${manifest().homepage}
Comment: The licences of Electron and Chromium are in /opt/Jumpseat, Node's in /opt/Jumpseat/resources/cli, and those of
 the packages that Jumpseat is built with in dist/renderer/licenses.txt there.

Files: *
Copyright: The Jumpseat authors
License: MIT

License: MIT
${paragraphs.join('\n')}
`;
}
