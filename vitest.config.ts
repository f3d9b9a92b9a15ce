import { defineConfig } from 'vitest/config';

/**
 * The tests run in plain Node: what needs Electron, a browser or Claude Code starts it itself. Those tiers come last, one file at a time.
 */
const shared = {
  environment: 'node',
  pool: 'forks',
  exclude: ['**/node_modules/**', 'tests/samples/**'],
  teardownTimeout: 10_000,
  unstubEnvs: true,
  restoreMocks: true,
} as const;
const heavy = ['tests/clients/**', 'tests/e2e/**'];

export default defineConfig({
  test: {
    maxWorkers: 2,
    passWithNoTests: true,
    projects: [
      {
        test: {
          ...shared,
          name: 'app',
          include: ['tests/**/*.test.ts'],
          exclude: [...shared.exclude, ...heavy],
          testTimeout: 15_000,
          hookTimeout: 30_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'real',
          include: heavy.map((folder) => `${folder}/*.test.ts`),
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
