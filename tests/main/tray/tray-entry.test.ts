import { expect, it } from 'vitest';
import type { LinesFor, Shell } from '../../../app/api/setup.ts';
import { copyAction, copyOf, isCopyAction } from '../../../main/tray/tray-entry.ts';

it.each<[LinesFor, Shell, string, ReturnType<typeof copyOf>]>([
  ['claude-code', 'fish', 'copy-fish', { what: 'claude-code', shell: 'fish' }],
  ['claude-code', 'zsh', 'copy-bash', { what: 'claude-code', shell: 'bash' }],
  ['openai', 'cmd', 'copy-openai-cmd', { what: 'openai', shell: 'cmd' }],
  ['codex', 'powershell', 'copy-codex-powershell', { what: 'codex', shell: 'powershell' }],
  ['codex-config', 'fish', 'copy-codex-config', { what: 'codex-config', shell: 'bash' }],
  ['mcp', 'zsh', 'copy-mcp-bash', { what: 'mcp', shell: 'bash' }],
  ['mcp-codex', 'fish', 'copy-mcp-codex', { what: 'mcp-codex', shell: 'bash' }],
  ['mcp-zed', 'fish', 'copy-mcp-zed', { what: 'mcp-zed', shell: 'bash' }],
  ['zed', 'fish', 'copy-zed', { what: 'zed', shell: 'bash' }],
  ['zed-key', 'fish', 'copy-zed-key-fish', { what: 'zed-key', shell: 'fish' }],
  ['form', 'cmd', 'copy-form', { what: 'form', shell: 'bash' }],
  ['vscode', 'json', 'copy-vscode', { what: 'vscode', shell: 'bash' }],
])('%s for %s is %s, and back', (what, shell, action, copied) => {
  expect(copyAction(what, shell)).toBe(action);
  expect([copyOf(action), isCopyAction(action)]).toEqual([copied, true]);
});

it('copies no lines for another action', () => {
  expect(['copy-code', 'quit', 'copy-tcsh'].map((action) => [copyOf(action), isCopyAction(action)])).toEqual([
    [null, false],
    [null, false],
    [null, false],
  ]);
});
