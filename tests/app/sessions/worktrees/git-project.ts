import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Repository } from '../../../../app/sessions/worktrees/repository.ts';

/** A repository with one commit on `main`, in a folder of its own. */
export class GitProject {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'jumpseat-worktrees-')));
  readonly folder = join(this.home, 'parcel-api');
  readonly environment = { PATH: process.env.PATH, HOME: this.home };
  isTrusted = false;

  constructor() {
    mkdirSync(this.folder);
    onTestFinished(() => rmSync(this.home, { recursive: true, force: true }));
    this.git('init', '-q', '-b', 'main');
    this.write('src/index.ts', 'one\n');
    this.write('.gitignore', '.env*\nnode_modules/\nconfig/local.json\n');
    this.commit();
  }

  write(path: string, text: string, folder = this.folder): string {
    const whole = join(folder, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, text);
    return whole;
  }

  gitIn(folder: string, ...command: string[]): string {
    const person = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    return execFileSync('git', ['-C', folder, ...person, ...command], {
      env: this.environment,
      stdio: 'pipe',
      encoding: 'utf8',
    }).trim();
  }

  git(...command: string[]): string {
    return this.gitIn(this.folder, ...command);
  }

  commit(folder = this.folder): void {
    this.gitIn(folder, 'add', '-A');
    this.gitIn(folder, 'commit', '-q', '-m', 'One');
  }

  async repository(folder = this.folder): Promise<Repository> {
    const found = await Repository.of(folder, { environment: this.environment, isTrusted: () => this.isTrusted });
    if (found === null) throw new Error('no repository');
    return found;
  }
}
