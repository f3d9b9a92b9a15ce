import { globSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { patienceMs } from './tests/soon.ts';

/**
 * The tests run in plain Node: tests that need Electron, a browser or Claude Code start it themselves. Our own code
 * comes first, then programs of others and the tray app, and last, one file at a time, tests that need a program to
 * themselves.
 */
const shared = {
  environment: 'node',
  pool: 'forks',
  unstubEnvs: true,
  restoreMocks: true,
  // Whatever language the machine has, what `jumpseat` prints is compared in English.
  env: { JUMPSEAT_LANG: 'en' },
  // What is waited for comes in milliseconds, or late on a machine that does other things.
  expect: { poll: { timeout: patienceMs } },
} as const;
const never = ['**/node_modules/**', 'tests/samples/**'];
const heavy = ['tests/clients/**', 'tests/editor/**', 'tests/e2e/**'];
/** These replace modules, or look at the memory, the time or the signals of their process. */
const withProcessOfTheirOwn = [
  'tests/app/end-to-end/large-images.test.ts',
  'tests/app/exchange/{hostile,fits/tool-results}.test.ts',
  'tests/app/formats/{growth,chat/collector,chat/tool-calls,translation/stop-cutter,wire/sse}.test.ts',
  'tests/app/search/engines.test.ts',
  'tests/app/sessions/acp/editor-stream.test.ts',
  'tests/app/sessions/agents/claude/session-settings.test.ts',
  'tests/app/sessions/folders/{asked-files,folders}.test.ts',
  'tests/app/sessions/store/session-{record,store}.test.ts',
  'tests/app/sessions/transcripts/transcript-{turns,watch}.test.ts',
  'tests/renderer/sessions/{composer/prompt,questions/change-body,state/fold-live,text/text}.test.ts',
];
/**
 * The others of these rooms leave nothing behind, and share a process with what they import: a process and the whole
 * app for each cost half a second to one and a half of processor time. What a test stubs is put back after it.
 */
const together = globSync(
  [
    'tests/app/{account,api,copilot,database,end-to-end,exchange,formats,health,images}/**/*.test.ts',
    'tests/app/{mcp,packages,search,server,sessions,settings,simulator,words}/**/*.test.ts',
    'tests/renderer/{health,parts,requests,state}/**/*.test.ts',
    'tests/renderer/sessions/{changes,composer,in-force,list,questions,review,state,text}/**/*.test.ts',
  ],
  { cwd: import.meta.dirname, exclude: withProcessOfTheirOwn },
).map((file) => file.replaceAll('\\', '/'));
/** One more than the cores of a small machine: pages and programs wait, too. Only Linux has more than one screen. */
const maxWorkers = process.platform === 'linux' ? 3 : 1;
/** They wait for other programs a third of their time. As many as `npm test` starts screens. */
const workersOfPrograms = process.platform === 'linux' ? 4 : 1;
/** The window's parts and the window whole, in a browser of its own for each file. */
const window = [
  'tests/renderer/**/*.test.ts',
  'tests/e2e/window-*.test.ts',
  'tests/e2e/sessions-{by-keys,composer,front,hostile,keys,sending,states}.test.ts',
];
/** GitHub's runtime is one program for all its tests, which look for its processes by its path. */
const ofRuntime = ['tests/clients/copilot-*.test.ts', 'tests/clients/claude-code-sdk-way.test.ts'];
/** A stop within two seconds is measured there. */
const measured = ['tests/clients/hosted-sessions.test.ts'];
const alone = [...ofRuntime, ...measured];
/** Claude Code, Codex and VS Code, each file with its own homes and ports. */
const programs = ['tests/clients/**/*.test.ts', 'tests/editor/**/*.test.ts'];
// Generous: a machine that does other things must not turn a slow start of a process into a failure.
const patient = { testTimeout: 60_000, hookTimeout: 60_000 } as const;
// Tests that drive a browser, a desktop or another program wait often; each wait has its own end, which says more than
// this one.
const veryPatient = { testTimeout: 240_000, hookTimeout: 240_000 } as const;
// Desktops, keyrings and browsers are programs of others: one more try, which the report names.
const onceMore = { retry: 1 } as const;

export default defineConfig({
  test: {
    maxWorkers,
    passWithNoTests: true,
    teardownTimeout: 10_000,
    projects: [
      {
        test: {
          ...shared,
          name: 'app',
          include: ['tests/**/*.test.ts'],
          ...patient,
          exclude: [...never, ...heavy, ...window, ...together],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'together',
          isolate: false,
          unstubGlobals: true,
          include: together,
          ...patient,
          exclude: never,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'window',
          ...veryPatient,
          ...onceMore,
          include: window,
          exclude: [...never, ...together],
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'programs',
          include: programs,
          exclude: [...never, ...alone],
          ...veryPatient,
          ...onceMore,
          maxWorkers: workersOfPrograms,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'desktop',
          include: ['tests/e2e/**/*.test.ts'],
          exclude: [...never, ...window],
          setupFiles: ['tests/e2e/own-display.ts'],
          ...veryPatient,
          ...onceMore,
          maxWorkers: workersOfPrograms,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'alone',
          include: alone,
          exclude: never,
          ...veryPatient,
          maxWorkers: 1,
          ...onceMore,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
