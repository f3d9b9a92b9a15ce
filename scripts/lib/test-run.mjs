/** Options of vitest that take the next argument as their value. */
const withValue = new Set([
  '-t',
  '--testNamePattern',
  '--project',
  '--reporter',
  '--exclude',
  '--shard',
  '--testTimeout',
]);

/**
 * Which of the tiers that need a program from outside will have a test to run.
 * @param {string[]} args what was given to `npm test --`
 * @param {(folder: string) => string[]} testFiles the test files below a folder, as paths from the project's root
 */
export function tiersWanted(args, testFiles) {
  const filters = args.filter((arg, index) => !arg.startsWith('-') && !withValue.has(args[index - 1]));
  const wanted = (folder) =>
    testFiles(folder).some(
      (file) => filters.length === 0 || filters.some((filter) => file.includes(filter.replace(/^\.\//, ''))),
    );
  return {
    clients: wanted('tests/clients'),
    editor: wanted('tests/editor'),
    e2e: wanted('tests/e2e'),
    resources: wanted('tests/resources'),
  };
}

/**
 * The numbers of the closing line. A file that could not be loaded counts as one failed test, and so does an exit code
 * that no test accounts for (an unhandled rejection, a runner that died).
 * @param report vitest's JSON report, or null when it wrote none
 * @param {number} code its exit code
 */
export function summarize(report, code) {
  const unloaded =
    report?.testResults.filter(
      (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
    ).length ?? 0;
  const failed = (report?.numFailedTests ?? 0) + unloaded;
  return {
    passed: report?.numPassedTests ?? 0,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  };
}
