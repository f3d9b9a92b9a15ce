import { describe, expect, it } from 'vitest';
import type { Shell } from '../../../app/api/setup.ts';
import { NoModelsError, openaiLines, withoutKey } from '../../../app/clients/lines.ts';
import { readCatalog } from '../../../app/copilot/model-entry.ts';
import { defaultModels } from '../../../app/simulator/plans.ts';

const door = { baseUrl: 'http://127.0.0.1:4180', key: 'KEY', label: 'codex' };
const catalog = readCatalog({ data: defaultModels() });
const named = (...ids: string[]) =>
  ids.map((id) => {
    const found = catalog.find((model) => model.id === id);
    if (found === undefined) throw new Error(`${id} is not in the catalog.`);
    return found;
  });
const models = named('claude-sonnet-4.6', 'gpt-5-mini', 'gpt-5.4', 'gpt-4.1');
const lines = (what: Parameters<typeof openaiLines>[0], shell: Shell = 'bash', of = models): string =>
  openaiLines(what, { door, models: of, shell });

describe('lines for OpenAI clients', () => {
  it.each<[Shell, string]>([
    ['bash', 'export OPENAI_BASE_URL=http://127.0.0.1:4180/v1\nexport OPENAI_API_KEY=KEY.codex\n'],
    ['zsh', 'export OPENAI_BASE_URL=http://127.0.0.1:4180/v1\nexport OPENAI_API_KEY=KEY.codex\n'],
    ['fish', 'set -gx OPENAI_BASE_URL http://127.0.0.1:4180/v1\nset -gx OPENAI_API_KEY KEY.codex\n'],
    ['powershell', "$env:OPENAI_BASE_URL = 'http://127.0.0.1:4180/v1'\n$env:OPENAI_API_KEY = 'KEY.codex'\n"],
    ['cmd', 'set "OPENAI_BASE_URL=http://127.0.0.1:4180/v1"\nset "OPENAI_API_KEY=KEY.codex"\n'],
    ['json', '{\n  "OPENAI_BASE_URL": "http://127.0.0.1:4180/v1",\n  "OPENAI_API_KEY": "KEY.codex"\n}\n'],
  ])('the variables for %s', (shell, text) => {
    expect(lines('openai', shell)).toBe(text);
  });

  it('Codex: the key for the shell, the rest for config.toml, with the newest model that has Responses', () => {
    expect(lines('codex')).toBe('export JUMPSEAT_CODEX_KEY=KEY.codex\n');
    expect(lines('codex-config')).toBe(`# ~/.codex/config.toml, before its first [table]:
model = "gpt-5.4"
model_context_window = 272000
model_provider = "jumpseat"

# And anywhere below:
[model_providers.jumpseat]
name = "Jumpseat"
base_url = "http://127.0.0.1:4180/v1"
env_key = "JUMPSEAT_CODEX_KEY"
wire_api = "responses"
`);
  });

  it('Codex: a smaller sibling only where there is no other; none at all is said', () => {
    const [mini, whole] = named('gpt-5-mini', 'gpt-5.4');
    if (mini === undefined || whole === undefined) throw new Error('They are in the catalog.');
    const sibling = { ...whole, id: 'gpt-5.4-mini' };
    expect(lines('codex-config', 'bash', [sibling, whole, mini])).toContain('model = "gpt-5.4"\n');
    expect(lines('codex-config', 'bash', [mini, sibling])).toContain('model = "gpt-5.4-mini"\n');
    const none = lines('codex-config', 'bash', []);
    expect(none).toContain('# model = "one of those that jumpseat models lists"\n');
    expect(none).not.toContain('model_context_window');
  });

  it('VS Code: every model, each at the API that it has at Copilot', () => {
    expect(JSON.parse(lines('vscode'))).toEqual([
      {
        name: 'Jumpseat',
        vendor: 'customendpoint',
        apiKey: 'KEY.codex',
        apiType: 'chat-completions',
        models: [
          {
            id: 'claude-sonnet-4.6',
            name: 'Claude Sonnet 4.6 (Jumpseat)',
            url: 'http://127.0.0.1:4180/v1/chat/completions',
            toolCalling: true,
            vision: true,
            thinking: true,
            maxInputTokens: 168_000,
            maxOutputTokens: 32_000,
          },
          expect.objectContaining({ id: 'gpt-5-mini', url: 'http://127.0.0.1:4180/v1/chat/completions' }),
          expect.objectContaining({ id: 'gpt-5.4', url: 'http://127.0.0.1:4180/v1/responses', apiType: 'responses' }),
          expect.objectContaining({ id: 'gpt-4.1', thinking: false }),
        ],
      },
    ]);
  });

  it('VS Code: without models there is nothing to paste', () => {
    expect(() => lines('vscode', 'bash', [])).toThrow(NoModelsError);
  });

  it('the key stands in what is pasted, and never in what is shown', () => {
    for (const what of ['openai', 'codex', 'vscode'] as const) {
      expect(lines(what)).toContain('KEY.codex');
      expect(withoutKey(lines(what), 'KEY')).toContain('••••••••.codex');
    }
    expect(lines('codex-config')).not.toContain('KEY.');
  });
});
