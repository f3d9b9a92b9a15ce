import { expect, it } from 'vitest';
import { catalogModel } from '../../app/through-vscode/catalog-model.ts';
import { offeredModels } from '../../vscode/models.ts';
import { chooseModel } from '../../vscode/prepare.ts';
import { FakeEditor } from './fake-editor.ts';

const editor = new FakeEditor();
const model = (id: string, vendor?: string) => editor.model(id, vendor);

it('F10 offers Copilot’s models, each once', () => {
  const all = [
    model('gpt-4.1'),
    model('gpt-4.1'),
    model('auto'),
    model('copilot-utility'),
    model('copilot-utility-small'),
    model('claude-sonnet-4.6'),
    // What Jumpseat gives VS Code would come back to it.
    model('claude-opus-4.6', 'customendpoint'),
    model('gpt-5', 'copilotcli'),
    { ...model('empty'), maxInputTokens: 0 },
  ];
  expect(offeredModels(all).map(({ id }) => id)).toEqual(['gpt-4.1', 'claude-sonnet-4.6']);
});

it.each([
  ['claude-sonnet-4-6', 'claude-sonnet-4.6'],
  ['claude-sonnet-4-6-20260101', 'claude-sonnet-4.6'],
  ['sonnet', 'claude-sonnet-4.6'],
  ['haiku', 'claude-haiku-4.5'],
  ['gpt-4.1', 'gpt-4.1'],
])('knows %s by the rules of the app', (asked, id) => {
  const models = ['claude-sonnet-4.6', 'claude-haiku-4.5', 'gpt-4.1'].map((each) => model(each));
  expect(chooseModel(asked, models).model.id).toBe(id);
});

it('never takes another family', () => {
  expect(() => chooseModel('opus', [model('claude-sonnet-4.6')])).toThrow('no Copilot model “opus”');
});

it('tells whose model it is', () => {
  const makers = ['claude-x', 'gpt-5', 'o4-mini', 'gemini-3', 'raptor'].map((id) => catalogModel(model(id)).vendor);
  expect(makers).toEqual(['Anthropic', 'OpenAI', 'OpenAI', 'Google', 'GitHub Copilot']);
});
