import { defineConfig } from 'vitest/config';

/** The tests are plain Node: what needs a browser, Electron or Claude Code starts it itself. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['tests/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'tests/samples/**'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 15_000,
    hookTimeout: 30_000,
    teardownTimeout: 10_000,
    unstubEnvs: true,
    restoreMocks: true,
  },
});
