import { defineConfig } from 'vitest/config';
import { patienceMs } from './tests/soon.ts';

/**
 * The tests run in plain Node: what needs Electron, a browser or Claude Code starts it itself. Those tiers come last,
 * one file at a time.
 */
const shared = {
  environment: 'node',
  pool: 'forks',
  unstubEnvs: true,
  restoreMocks: true,
  // What is waited for comes in milliseconds, or late on a machine that does other things.
  expect: { poll: { timeout: patienceMs } },
} as const;
const never = ['**/node_modules/**', 'tests/samples/**'];
const heavy = ['tests/clients/**', 'tests/editor/**', 'tests/e2e/**'];
/** The window's parts, most of them in a browser. */
const window = ['tests/renderer/**'];
// Generous: a machine that does other things must not turn a slow start of a process into a failure.
const patient = { testTimeout: 60_000, hookTimeout: 60_000 } as const;
// Tests that drive a browser, a desktop or another program wait often; each wait has its own end, which says more than
// this one.
const veryPatient = { testTimeout: 240_000, hookTimeout: 240_000 } as const;
// Desktops, keyrings and browsers are programs of others: one more try, which the report names.
const onceMore = { retry: 1 } as const;

export default defineConfig({
  test: {
    maxWorkers: 2,
    passWithNoTests: true,
    teardownTimeout: 10_000,
    projects: [
      {
        test: {
          ...shared,
          name: 'app',
          include: ['tests/**/*.test.ts'],
          ...patient,
          exclude: [...never, ...heavy, ...window],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'window',
          ...veryPatient,
          ...onceMore,
          include: window.map((folder) => `${folder}/*.test.ts`),
          exclude: never,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'real',
          include: heavy.map((folder) => `${folder}/*.test.ts`),
          exclude: never,
          ...veryPatient,
          maxWorkers: 1,
          ...onceMore,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
