import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const project = join(import.meta.dirname, '..', '..');

/** One wrong import per rule: who imports what. A target that is a file of ours is made, empty. */
const wrong = [
  { rule: 'app-knows-no-window-system', from: 'app/server/a.ts', to: 'main/windows/window.ts' },
  { rule: 'app-knows-no-electron', from: 'app/copilot/a.ts', to: 'electron' },
  { rule: 'rooms-know-no-terminal', from: 'app/exchange/a.ts', to: 'app/cli/terminal.ts' },
  { rule: 'calls-are-loaded-when-asked-for', from: 'app/server/calls-user.ts', to: 'app/api/calls.ts' },
  { rule: 'terminal-keeps-apart', from: 'app/cli/a.ts', to: 'main/tray/tray.ts' },
  { rule: 'tray-keeps-apart', from: 'main/a.ts', to: 'app/cli/terminal.ts' },
  { rule: 'extension-keeps-apart', from: 'vscode/a.ts', to: 'app/account/account.ts' },
  { rule: 'one-file-speaks-to-vscode', from: 'vscode/b.ts', to: 'vscode' },
  { rule: 'preload-is-one-bridge', from: 'preload/a.ts', to: 'app/ports.ts' },
  { rule: 'renderer-knows-only-the-contract', from: 'renderer/a.tsx', to: 'app/ports.ts' },
  { rule: 'renderer-knows-only-the-contract', from: 'renderer/state/c.ts', to: 'app/formats/wire/sse.ts' },
  { rule: 'shell-is-on-top', from: 'renderer/usage/a.tsx', to: 'renderer/shell/sidebar.tsx' },
  { rule: 'shell-is-on-top', from: 'renderer/state/a.ts', to: 'renderer/shell/sidebar.tsx' },
  { rule: 'views-know-no-view', from: 'renderer/usage/b.tsx', to: 'renderer/requests/export.ts' },
  { rule: 'views-know-no-view', from: 'renderer/new-view/a.tsx', to: 'renderer/sign-in/view.tsx' },
  { rule: 'window-state-knows-no-view', from: 'renderer/state/b.ts', to: 'renderer/models/view.tsx' },
  { rule: 'window-parts-stand-alone', from: 'renderer/parts/a.tsx', to: 'renderer/state/feed.ts' },
  { rule: 'styles-stand-alone', from: 'renderer/styles/a.ts', to: 'renderer/parts/button.tsx' },
  { rule: 'start-chooses-the-bridge', from: 'renderer/health/a.tsx', to: 'renderer/bridge/http-bridge.ts' },
  { rule: 'bridges-know-no-window', from: 'renderer/bridge/ipc-bridge.ts', to: 'renderer/state/routes.ts' },
  { rule: 'words-know-the-contract-alone', from: 'app/words/a.ts', to: 'app/ports.ts' },
  { rule: 'language-knows-no-room', from: 'app/language/a.ts', to: 'app/words/text.ts' },
  { rule: 'formats-are-pure', from: 'app/formats/a.ts', to: 'app/ports.ts' },
  { rule: 'wire-has-no-vendor', from: 'app/formats/wire/a.ts', to: 'app/formats/chat/request.ts' },
  { rule: 'answers-know-no-format', from: 'app/formats/answer/a.ts', to: 'app/formats/chat/request.ts' },
  { rule: 'formats-know-no-pair', from: 'app/formats/chat/a.ts', to: 'app/formats/messages-via-chat/request.ts' },
  { rule: 'translation-knows-no-format', from: 'app/formats/translation/a.ts', to: 'app/formats/chat/request.ts' },
  {
    rule: 'pairs-keep-apart',
    from: 'app/formats/messages-via-chat/a.ts',
    to: 'app/formats/messages-via-responses/request.ts',
  },
  { rule: 'formats-do-no-io', from: 'app/formats/b.ts', to: 'node:fs' },
  { rule: 'adapters-know-ports-alone', from: 'app/adapters/a.ts', to: 'app/formats/wire/sse.ts' },
  { rule: 'settings-stand-low', from: 'app/settings/a.ts', to: 'app/account/account.ts' },
  { rule: 'account-stands-low', from: 'app/account/a.ts', to: 'app/copilot/client.ts' },
  { rule: 'claude-code-stands-low', from: 'app/claude-code/a.ts', to: 'app/history/history.ts' },
  { rule: 'clients-stand-low', from: 'app/clients/a.ts', to: 'app/copilot/model-entry.ts' },
  { rule: 'images-stand-low', from: 'app/images/a.ts', to: 'app/copilot/model-entry.ts' },
  { rule: 'copilot-points-down', from: 'app/copilot/b.ts', to: 'app/server/server.ts' },
  { rule: 'database-stands-low', from: 'app/database/a.ts', to: 'app/history/history.ts' },
  { rule: 'history-points-down', from: 'app/history/a.ts', to: 'app/exchange/exchange.ts' },
  { rule: 'session-store-stands-low', from: 'app/sessions/store/a.ts', to: 'app/sessions/host/a.ts' },
  { rule: 'transcripts-stand-low', from: 'app/sessions/transcripts/a.ts', to: 'app/sessions/host/a.ts' },
  {
    rule: 'worktrees-stand-beside-the-host',
    from: 'app/sessions/host/c.ts',
    to: 'app/sessions/worktrees/repository.ts',
  },
  { rule: 'customizations-know-no-host', from: 'app/sessions/customizations/a.ts', to: 'app/sessions/host/a.ts' },
  { rule: 'session-files-know-no-host', from: 'app/sessions/edits/a.ts', to: 'app/sessions/host/a.ts' },
  { rule: 'session-files-know-no-host', from: 'app/sessions/folders/a.ts', to: 'app/sessions/transcripts/line.ts' },
  { rule: 'host-knows-no-front', from: 'app/sessions/host/b.ts', to: 'app/sessions/acp/editor-front.ts' },
  { rule: 'host-knows-no-front', from: 'app/sessions/turns/a.ts', to: 'app/sessions/transcripts/line.ts' },
  { rule: 'turns-know-no-host', from: 'app/sessions/turns/b.ts', to: 'app/sessions/host/session-host.ts' },
  { rule: 'running-knows-no-turn', from: 'app/sessions/running/a.ts', to: 'app/sessions/turns/turns.ts' },
  { rule: 'questions-know-no-turn', from: 'app/sessions/questions/a.ts', to: 'app/sessions/running/loader.ts' },
  { rule: 'session-stands-low', from: 'app/sessions/session/a.ts', to: 'app/sessions/running/loader.ts' },
  { rule: 'recording-points-down', from: 'app/recording/a.ts', to: 'app/history/history.ts' },
  { rule: 'exchange-points-down', from: 'app/exchange/b.ts', to: 'app/server/server.ts' },
  { rule: 'exchange-points-down', from: 'app/exchange/c.ts', to: 'app/sessions/sessions.ts' },
  { rule: 'fits-know-no-step', from: 'app/exchange/fits/a.ts', to: 'app/exchange/record.ts' },
  { rule: 'clients-know-no-orchestrator', from: 'app/exchange/clients/a.ts', to: 'app/exchange/exchange.ts' },
  { rule: 'steps-know-no-record', from: 'app/exchange/limits/a.ts', to: 'app/exchange/record.ts' },
  { rule: 'steps-know-no-record', from: 'app/exchange/plan.ts', to: 'app/exchange/running.ts' },
  { rule: 'core-knows-no-feature', from: 'app/exchange/send.ts', to: 'app/exchange/features/auto.ts' },
  { rule: 'core-knows-no-feature', from: 'app/exchange/clients/b.ts', to: 'app/exchange/features/auto.ts' },
  { rule: 'features-join-by-their-list', from: 'app/exchange/steps.ts', to: 'app/exchange/features/auto.ts' },
  { rule: 'record-knows-no-step', from: 'app/exchange/record.ts', to: 'app/exchange/clients/client.ts' },
  { rule: 'features-know-no-orchestrator', from: 'app/exchange/features/a.ts', to: 'app/exchange/record.ts' },
  { rule: 'server-points-down', from: 'app/server/b.ts', to: 'app/simulator/script.ts' },
  { rule: 'server-points-down', from: 'app/server/e.ts', to: 'app/search/search.ts' },
  { rule: 'health-points-down', from: 'app/health/a.ts', to: 'app/cli/terminal.ts' },
  { rule: 'packages-stand-low', from: 'app/packages/a.ts', to: 'app/account/account.ts' },
  { rule: 'search-points-down', from: 'app/search/a.ts', to: 'app/server/server.ts' },
  { rule: 'web-stands-low', from: 'app/web/a.ts', to: 'app/account/account.ts' },
  { rule: 'mcp-points-down', from: 'app/mcp/a.ts', to: 'app/simulator/script.ts' },
  { rule: 'own-accounts-points-down', from: 'app/own-accounts/a.ts', to: 'app/server/server.ts' },
  { rule: 'through-vscode-points-down', from: 'app/through-vscode/a.ts', to: 'app/server/server.ts' },
  { rule: 'sessions-point-down', from: 'app/sessions/host/a.ts', to: 'app/server/door.ts' },
  { rule: 'agents-know-no-host', from: 'app/sessions/agents/agent.ts', to: 'app/sessions/host/a.ts' },
  { rule: 'sign-in-points-down', from: 'app/sign-in/a.ts', to: 'app/server/server.ts' },
  { rule: 'simulator-stands-alone', from: 'app/simulator/a.ts', to: 'app/ports.ts' },
  {
    rule: 'simulated-requests-know-no-answer',
    from: 'app/simulator/strict/a.ts',
    to: 'app/simulator/answers/brain.ts',
  },
  { rule: 'processes-stand-low', from: 'app/processes/a.ts', to: 'app/packages/a.ts' },
  { rule: 'adapters-are-the-fronts', from: 'app/account/b.ts', to: 'app/adapters/clock.ts' },
  { rule: 'parts-do-not-know-the-whole', from: 'app/history/b.ts', to: 'app/app.ts' },
  { rule: 'contract-knows-no-part', from: 'app/api/state.ts', to: 'app/server/server.ts' },
  { rule: 'no-test-code-in-the-product', from: 'app/history/c.ts', to: 'tests/helper.ts' },
  { rule: 'no-dev-dependency-in-the-product', from: 'app/server/c.ts', to: 'vite' },
  { rule: 'no-unresolved', from: 'app/server/d.ts', to: 'app/server/missing.ts' },
];

interface Violation {
  from: string;
  rule: { name: string };
}

describe('the architecture rules', () => {
  let house: string;
  let violations: Violation[];

  beforeAll(async () => {
    house = mkdtempSync(join(tmpdir(), 'jumpseat-house-'));
    for (const file of ['.dependency-cruiser.mjs', 'tsconfig.json', 'package.json'])
      cpSync(join(project, file), join(house, file));
    symlinkSync(join(project, 'node_modules'), join(house, 'node_modules'));
    const write = (file: string, text: string) => {
      mkdirSync(dirname(join(house, file)), { recursive: true });
      writeFileSync(join(house, file), text);
    };
    const isFile = (target: string) => target.includes('/') && !target.endsWith('missing.ts');
    for (const { to } of wrong) if (isFile(to)) write(to, 'export {};\n');
    for (const { from, to } of wrong) {
      const up = '../'.repeat(from.split('/').length - 1);
      write(from, `import '${to.includes('/') ? `${up || './'}${to}` : to}';\n`);
    }
    write('app/settings/round.ts', "import './trip.ts';\n");
    write('app/settings/trip.ts', "import './round.ts';\n");
    write(
      'app/server/right.ts',
      "import '../exchange/exchange.ts';\nimport '../formats/wire/sse.ts';\nimport 'node:http';\n",
    );
    write(
      'renderer/requests/right.tsx',
      "import './table.tsx';\nimport '../state/feed.ts';\nimport '../parts/button.tsx';\nimport '../bridge/bridge.ts';\n",
    );
    for (const file of ['requests/table.tsx', 'parts/button.tsx', 'bridge/bridge.ts'])
      write(`renderer/${file}`, 'export {};\n');
    violations = await cruise(house);
  }, 60_000);

  afterAll(() => rmSync(house, { recursive: true, force: true }));

  it.each(wrong)('$from → $to breaks $rule', ({ from, rule }) => {
    expect(violations.filter((violation) => violation.from === from).map((violation) => violation.rule.name)).toContain(
      rule,
    );
  });

  it('a circle breaks no-circles', () => {
    const found = violations.filter(({ rule }) => rule.name === 'no-circles').map(({ from }) => from);
    expect(found).toContain('app/settings/round.ts');
  });

  it('an import that points down breaks none', () => {
    expect(violations.filter(({ from }) => from.includes('/right.ts'))).toEqual([]);
  });

  it('every rule is tried here', async () => {
    const config: { default: { forbidden: { name: string }[] } } = await import(
      join(project, '.dependency-cruiser.mjs')
    );
    const tried = new Set([...wrong.map(({ rule }) => rule), 'no-circles']);
    expect(config.default.forbidden.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([]);
  });
});

async function cruise(folder: string): Promise<Violation[]> {
  const rooms = ['app', 'main', 'preload', 'renderer', 'vscode'];
  const command = join(project, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs');
  const args = [command, '--config', '.dependency-cruiser.mjs', '--output-type', 'json', ...rooms];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: folder,
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: { stdout: string; stderr: string }) => error);
  const report: { summary: { violations: Violation[] } } = JSON.parse(stdout);
  return report.summary.violations;
}
