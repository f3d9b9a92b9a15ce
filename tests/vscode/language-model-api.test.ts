import { expect, it } from 'vitest';
import type { LmRequest } from '../../app/formats/lm/language-model.ts';
import { editorModel, type LmApi } from '../../vscode/language-model-api.ts';
import { fakeClasses } from '../app/formats/chat-via-lm/fake-classes.ts';

/** What was done with the tokens that were made, in order. */
function model(fails = false) {
  const done: string[] = [];
  class Source {
    readonly token = {};
    cancel(): void {
      done.push('cancelled');
    }
    dispose(): void {
      done.push('disposed');
    }
  }
  const answer = async (): Promise<unknown> => {
    done.push('asked');
    if (fails) throw new Error('refused');
    return { stream: [] };
  };
  const api = { ...fakeClasses, CancellationTokenSource: Source, LanguageModelChatToolMode: { Auto: 1, Required: 2 } };
  const editors = { id: 'm', sendRequest: answer, countTokens: answer };
  type EditorModel = Parameters<typeof editorModel>[1];
  // The editor's own classes are nowhere but in a running editor; these have what is used of them.
  return { done, model: editorModel(api as unknown as LmApi, editors as unknown as EditorModel) };
}

const request: LmRequest = { messages: [], tools: [], required: false, options: {} };

it('lets the token of an answer go when its signal is aborted, and not before', async () => {
  const { done, model: asked } = model();
  const ending = new AbortController();
  await asked.send(request, ending.signal);
  expect(done).toEqual(['asked']);
  ending.abort();
  expect(done).toEqual(['asked', 'cancelled', 'disposed']);
});

it('cancels a request whose signal is aborted already', async () => {
  const { done, model: asked } = model();
  await asked.send(request, AbortSignal.abort());
  expect(done).toEqual(['cancelled', 'disposed', 'asked']);
});

it('lets the token of a request that was refused go, and that of a count', async () => {
  const refused = model(true);
  const counted = model();
  const ending = new AbortController();
  await expect(refused.model.send(request, ending.signal)).rejects.toThrow('refused');
  await counted.model.count('a', ending.signal);
  ending.abort();
  for (const { done } of [refused, counted]) expect(done).toEqual(['asked', 'disposed']);
});
