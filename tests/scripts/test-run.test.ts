import { describe, expect, it } from 'vitest';
import { script } from './script.ts';

interface TestRun {
  tiersWanted(
    args: string[],
    testFiles: (folder: string) => string[],
  ): Record<'clients' | 'editor' | 'e2e' | 'resources', boolean>;
  summarize(report: unknown, code: number): { passed: number; failed: number; skipped: number };
}

const { tiersWanted, summarize } = await script<TestRun>('test-run');

describe('which tiers a run needs', () => {
  const all = [
    ...['tests/clients/claude-code.test.ts', 'tests/editor/extension.test.ts', 'tests/e2e/tray-app.test.ts'],
    'tests/resources/places.test.ts',
  ];
  const none = { clients: false, editor: false, e2e: false, resources: false };
  const files = (folder: string) => all.filter((file) => file.startsWith(folder));

  it.each([
    { args: [], wanted: { clients: true, editor: true, e2e: true, resources: true } },
    { args: ['tests/app/formats'], wanted: none },
    { args: ['tests/clients'], wanted: { ...none, clients: true } },
    { args: ['./tests/e2e/tray-app.test.ts'], wanted: { ...none, e2e: true } },
    { args: ['tests/editor'], wanted: { ...none, editor: true } },
    { args: ['claude-code'], wanted: { ...none, clients: true } },
    { args: ['-t', 'some words'], wanted: { clients: true, editor: true, e2e: true, resources: true } },
    { args: ['places'], wanted: { ...none, resources: true } },
    { args: ['--bail=1', 'tray'], wanted: { ...none, e2e: true } },
  ])('$args', ({ args, wanted }) => {
    expect(tiersWanted(args, files)).toEqual(wanted);
  });

  it('a tier without tests needs nothing', () => {
    expect(tiersWanted([], () => [])).toEqual(none);
  });
});

describe('the closing line', () => {
  const report = (counts: object, files: object[] = []) => ({
    numPassedTests: 0,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: files,
    ...counts,
  });

  it('counts tests', () => {
    const counts = { numPassedTests: 5, numFailedTests: 2, numPendingTests: 1, numTodoTests: 1 };
    const files = [{ status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'failed' }] }];
    expect(summarize(report(counts, files), 1)).toEqual({ passed: 5, failed: 2, skipped: 2 });
  });

  it('counts a file that could not be loaded', () => {
    expect(summarize(report({}, [{ status: 'failed', assertionResults: [] }]), 1)).toEqual({
      passed: 0,
      failed: 1,
      skipped: 0,
    });
  });

  it('never says that nothing failed when the run did', () => {
    expect(summarize(report({ numPassedTests: 3 }), 1)).toEqual({ passed: 3, failed: 1, skipped: 0 });
    expect(summarize(null, 137)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});
