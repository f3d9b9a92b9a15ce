import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileOpeners } from '../../../main/windows/file-openers.ts';
import { temporaryFolder } from '../../app/history/surroundings.ts';
import { until } from '../../soon.ts';

function program(path: string, script = 'exit 0'): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

describe.skipIf(process.platform === 'win32')('programs that open files', () => {
  it('are those of the PATH, and on macOS those among the applications', async () => {
    const home = temporaryFolder();
    program(join(home, 'bin', 'cursor'));
    program(join(home, 'bin', 'zeditor'));
    program(join(home, 'Applications', 'VSCodium.app', 'Contents', 'Resources', 'app', 'bin', 'codium'));
    const environment = { PATH: join(home, 'bin') };
    const found = (platform: NodeJS.Platform) => new FileOpeners({ environment, platform, home }).found();
    expect(await found('linux')).toEqual(['system', 'cursor', 'zed']);
    expect(await found('darwin')).toEqual(expect.arrayContaining(['system', 'codium', 'cursor', 'zed']));
  });

  it('are on Windows the programs themselves, of a person or of everybody, and no script of the PATH', async () => {
    const environment = {
      LOCALAPPDATA: 'C:\\Users\\me\\AppData\\Local',
      ProgramFiles: 'D:\\Programs',
      PATH: '/usr/bin',
    };
    const there = [
      'C:\\Users\\me\\AppData\\Local\\Programs\\Microsoft VS Code\\Code.exe',
      'D:\\Programs\\Sublime Text\\sublime_text.exe',
    ];
    const mayRun = async (path: string): Promise<boolean> => there.includes(path);
    const openers = new FileOpeners({ environment, platform: 'win32', mayRun });
    expect(await openers.found()).toEqual(['system', 'code', 'sublime']);
  });

  it('get one whole path that no shell reads', async () => {
    const home = temporaryFolder();
    const said = join(home, 'said');
    const zed = program(
      join(home, 'bin', 'zed'),
      `env | grep JUMPSEAT > "${said}.part"
for each in "$@"; do echo "<$each>"; done >> "${said}.part"
mv "${said}.part" "${said}"`,
    );
    const environment = { PATH: `${join(home, 'bin')}:${process.env.PATH}`, JUMPSEAT_GITHUB_TOKEN: 'none' };
    const openers = new FileOpeners({ environment, platform: 'linux', home });
    const path = `${home}/a b; touch $(x) 'c'.md`;
    const saidOf = async (opening: Promise<void>): Promise<string> => {
      await opening;
      const text = await until(() => {
        try {
          return readFileSync(said, 'utf8');
        } catch {
          return null;
        }
      });
      rmSync(said);
      return text;
    };
    expect(await saidOf(openers.open('zed', path))).toBe(`<${path}>\n`);
    expect(await saidOf(openers.open('zed', path, 12))).toBe(`<${path}:12>\n`);
    copyFileSync(zed, join(home, 'bin', 'code'));
    expect(await saidOf(openers.open('code', path, 12))).toBe(`<--goto>\n<${path}:12>\n`);
    rmSync(zed);
    const gone = new FileOpeners({ environment: { PATH: join(home, 'bin') }, platform: 'linux', home });
    await expect(gone.open('zed', path)).rejects.toMatchObject({
      message: 'Zed isn’t found on this machine any more.',
      remedy: 'Choose another program under “Open files with” in the settings of sessions.',
    });
  });
});
