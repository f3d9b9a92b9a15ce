import { beforeEach } from 'vitest';

/**
 * For tests that each go on where the one before ended: after one that failed, the others of the block fail at once, in
 * place of waiting for what can't come any more.
 */
export function oneAfterAnother(): void {
  let failed: string | null = null;
  beforeEach(({ task, onTestFailed }) => {
    if (failed !== null) throw new Error(`This goes on where “${failed}” ended, which failed.`);
    onTestFailed(() => {
      failed ??= task.name;
    });
  });
}
