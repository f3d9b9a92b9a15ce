import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FitNote } from '../../../../app/api/exchange.ts';
import type { CatalogModel } from '../../../../app/copilot/model-entry.ts';
import { readCatalog } from '../../../../app/copilot/model-entry.ts';
import { splitBetas } from '../../../../app/exchange/fits/betas.ts';
import { type FitContext, fitMessages } from '../../../../app/exchange/fits/fit-messages.ts';
import { type MessagesRequest, readMessagesRequest } from '../../../../app/formats/messages/request.ts';
import { isObject } from '../../../../app/formats/wire/json.ts';
import { claude, deepFreeze } from './claude.ts';
import { copilotComplaints } from './copilot-complaints.ts';

const folder = join(import.meta.dirname, '../../../samples');
const readJson = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));

interface Sample {
  name: string;
  request: MessagesRequest;
  betas: string[];
  purpose: FitContext['purpose'];
}

/** Real requests of Claude Code 2.1.328. */
const samples: Sample[] = readdirSync(folder)
  .filter((name) => /^claude-code-2\.1\.328-.*\.request\.json$/.test(name))
  .flatMap((name) => {
    const sample = readJson(name);
    const read = isObject(sample) ? readMessagesRequest(sample.body) : { ok: false as const };
    if (!isObject(sample) || !read.ok || !Array.isArray(sample.headers)) return [];
    const header = sample.headers.find((pair) => Array.isArray(pair) && pair[0] === 'anthropic-beta');
    const purpose = String(sample.path).includes('count_tokens') ? 'count' : 'message';
    return [{ name, request: deepFreeze(read.request), betas: splitBetas(header?.[1]), purpose }];
  });

/** Every Claude of a real catalog, and two that the catalog of March 2026 had not yet. */
const models: CatalogModel[] = [
  ...readCatalog(readJson('models-full-catalog-2026-03-28.json')).filter((model) => model.id.startsWith('claude-')),
  claude('claude-opus-4.8', { supports: { adaptiveThinking: 'required', efforts: ['low', 'medium', 'high', 'max'] } }),
  claude('claude-sonnet-5', { supports: { adaptiveThinking: 'required' } }),
];

describe('C2.1 real requests of Claude Code pass a Copilot that refuses all it is known to refuse', () => {
  it('there are samples and models', () => {
    expect([samples.length, models.length]).toEqual([20, 9]);
  });

  for (const model of models) {
    it.each(samples)(`$name on ${model.id}`, ({ name, request, betas, purpose }) => {
      const fitted = fitMessages(request, { model, path: '/v1/messages', betas, purpose });
      if (name.includes('web-search')) expect(fitted).toMatchObject({ ok: false, type: 'policy_blocked' });
      else if (name.includes('with-safeguards'))
        expect(fitted).toMatchObject({ ok: false, code: 'safeguards-refused' });
      else {
        expect(fitted.ok).toBe(true);
        if (fitted.ok) expect(copilotComplaints(fitted.request, fitted.betas, model)).toEqual([]);
      }
    });
  }

  it('the request after the refusal of safeguards passes', () => {
    const sample = samples.find(({ name }) => name.includes('with-safeguards'));
    const { safeguards: _, ...request } = sample?.request ?? { model: '', messages: [] };
    for (const model of models) {
      const fitted = fitMessages(request, {
        model,
        path: '/v1/messages',
        betas: sample?.betas ?? [],
        purpose: 'message',
      });
      expect(fitted.ok && copilotComplaints(fitted.request, fitted.betas, model)).toEqual([]);
    }
  });

  it('without the fits the same Copilot complains about every one', () => {
    const complained = samples.filter(({ request, betas }) =>
      models.every((model) => copilotComplaints({ ...request, model: model.id }, betas, model).length > 0),
    );
    expect(complained.length).toBe(samples.length);
  });

  it('no note holds content of the request', () => {
    const notes = samples.flatMap(({ request, betas, purpose }) =>
      models.flatMap((model) => {
        const fitted = fitMessages(request, { model, path: '/v1/messages', betas, purpose });
        return fitted.ok ? fitted.notes : [];
      }),
    );
    expect(notes.length).toBeGreaterThan(0);
    // Betas are named: names alone, of a spelling of their own.
    const isLong = ({ code, text }: FitNote) => code !== 'betas-removed' && text.length > 70;
    expect(notes.filter((note) => isLong(note) || /device_id|home\/dev|session/.test(note.text))).toEqual([]);
  });
});

describe('the cached prefix', () => {
  it('is the same in the next turn of a conversation with system messages', () => {
    const [first, second] = ['main-user-turn.sonnet-5-5', 'main-tool-result-turn.sonnet-5-5'].map((part) => {
      const sample = samples.find(({ name }) => name.includes(part));
      if (sample === undefined) throw new Error(part);
      const fitted = fitMessages(sample.request, {
        model: claude(),
        path: '/v1/messages',
        betas: [],
        purpose: 'message',
      });
      if (!fitted.ok) throw new Error(fitted.message);
      // The marks say up to where, they are not part of what is cached.
      return JSON.parse(JSON.stringify(fitted.request), (key, value) => (key === 'cache_control' ? undefined : value));
    });
    expect(second.messages.slice(0, first.messages.length)).toEqual(first.messages);
    expect([second.system, second.tools]).toEqual([first.system, first.tools]);
  });
});
