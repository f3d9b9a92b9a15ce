#!/usr/bin/env node
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Stands in for fpm where it cannot be fetched: as much of its command line as electron-builder 26 uses
 * (CUSTOM_FPM_PATH), with `dpkg-deb` and `rpmbuild`. An option that is not known here ends it.
 */
const known = new Set(
  `-s -t -d --deb-recommends --deb-compression --deb-priority --rpm-os --rpm-compression --rpm-summary --architecture
  --after-install --after-remove --before-remove --directories --description --version --package --name --maintainer
  --vendor --url --license --log`.split(/\s+/),
);

/** @param {string[]} args @returns `all`: an option's values; `inputs`: [what, where it is installed] */
export function readArguments(args) {
  const options = new Map();
  const inputs = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at];
    if (arg === '--force' || arg === '--debug') continue;
    if (!arg.startsWith('-')) inputs.push([arg.slice(0, arg.lastIndexOf('=')), arg.slice(arg.lastIndexOf('=') + 1)]);
    else if (known.has(arg)) options.set(arg, [...(options.get(arg) ?? []), args[++at]]);
    else throw new Error(`fpm's ${arg} is not known here.`);
  }
  const all = (name) => options.get(name) ?? [];
  // As in fpm, the last one counts.
  return { all, one: (name) => all(name).at(-1) ?? '', inputs };
}

/** Lays out what is installed, with the modes that it has. */
function layOut(inputs, tree) {
  for (const [from, to] of inputs) {
    mkdirSync(dirname(join(tree, to)), { recursive: true });
    cpSync(from, join(tree, to), { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  }
  execFileSync('chmod', ['-R', 'u+rwX,go+rX,go-w', tree]);
}

const debianScripts = { postinst: '--after-install', prerm: '--before-remove', postrm: '--after-remove' };

/** As `dpkg --verify` reads them. */
function sums(tree) {
  return readdirSync(tree, { recursive: true })
    .filter((path) => !path.startsWith('DEBIAN') && lstatSync(join(tree, path)).isFile())
    .sort()
    .map(
      (path) =>
        `${createHash('md5')
          .update(readFileSync(join(tree, path)))
          .digest('hex')}  ${path}\n`,
    )
    .join('');
}

function deb({ all, one, inputs }, work) {
  const tree = join(work, 'tree');
  layOut(inputs, tree);
  const [size] = execFileSync('du', ['-sk', '--apparent-size', tree]).toString().split('\t');
  mkdirSync(join(tree, 'DEBIAN'));
  const control = {
    Package: one('--name'),
    Version: one('--version'),
    Architecture: one('--architecture'),
    Maintainer: one('--maintainer'),
    'Installed-Size': size,
    Depends: all('-d').join(', '),
    Recommends: all('--deb-recommends').join(', '),
    Section: 'devel',
    Priority: one('--deb-priority'),
    Homepage: one('--url'),
    Description: one('--description').trimEnd(),
  };
  const lines = Object.entries(control).map(([name, value]) => `${name}: ${value}\n`);
  writeFileSync(join(tree, 'DEBIAN', 'control'), lines.join(''));
  writeFileSync(join(tree, 'DEBIAN', 'md5sums'), sums(tree));
  for (const [name, script] of Object.entries(debianScripts)) {
    if (one(script) === '') continue;
    cpSync(one(script), join(tree, 'DEBIAN', name));
    chmodSync(join(tree, 'DEBIAN', name), 0o755);
  }
  const compression = one('--deb-compression').replace(/^gz$/, 'gzip');
  execFileSync('dpkg-deb', ['--root-owner-group', `-Z${compression}`, '--build', tree, one('--package')]);
}

function rpm({ all, one, inputs }, work) {
  const tree = join(work, 'tree');
  layOut(inputs, tree);
  const script = (name) => (one(name) === '' ? '' : readFileSync(one(name), 'utf8').replaceAll('%', '%%'));
  const spec = `Name: ${one('--name')}
Version: ${one('--version')}
Release: 1
Summary: ${one('--rpm-summary')}
License: ${one('--license')}
URL: ${one('--url')}
Vendor: ${one('--vendor')}
AutoReqProv: no
${all('-d')
  .map((name) => `Requires: ${name}`)
  .join('\n')}
%description
${one('--description')}
%install
cp -a ${tree}/. %{buildroot}
%files
%defattr(-,root,root,-)
${all('--directories')
  .map((folder) => `%dir "${folder}"`)
  .join('\n')}
${inputs.map(([, to]) => `"${to.replace(/\/$/, '')}"`).join('\n')}
%post
${script('--after-install')}
%preun
${script('--before-remove')}
%postun
${script('--after-remove')}
`;
  writeFileSync(join(work, 'package.spec'), spec);
  const compression = one('--rpm-compression').startsWith('xz') ? 'w2.xzdio' : 'w6.gzdio';
  const settings = {
    _topdir: join(work, 'rpm'),
    _rpmdir: join(work, 'made'),
    _binary_payload: compression,
    __os_install_post: '%{nil}',
    _build_id_links: 'none',
    // The same files make the same bytes.
    use_source_date_epoch_as_buildtime: '1',
    clamp_mtime_to_source_date_epoch: '1',
    build_mtime_policy: 'clamp_to_source_date_epoch',
    _buildhost: 'localhost',
  };
  const defined = Object.entries(settings).flatMap(([name, value]) => ['--define', `${name} ${value}`]);
  execFileSync('rpmbuild', ['-bb', '--quiet', '--target', one('--architecture'), ...defined, 'package.spec'], {
    cwd: work,
  });
  const [made] = readdirSync(join(work, 'made'), { recursive: true }).filter((file) => file.endsWith('.rpm'));
  cpSync(join(work, 'made', made), one('--package'));
}

if (resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const asked = readArguments(process.argv.slice(2));
  const work = mkdtempSync(join(tmpdir(), 'jumpseat-fpm-'));
  try {
    (asked.one('-t') === 'rpm' ? rpm : deb)(asked, work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
