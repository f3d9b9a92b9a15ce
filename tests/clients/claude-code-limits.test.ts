import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Exchange } from '../../app/api/exchange.ts';
import { isObject } from '../../app/formats/wire/json.ts';
import { defaultModels } from '../../app/simulator/plans.ts';
import { until } from '../soon.ts';
import { claudeBinary, runClaude } from './claude.ts';
import { type Product, startProduct } from './product.ts';

/** What the real Claude Code makes of what is refused here, without asking Copilot. */

let product: Product;
afterEach(() => product.close());

const goOn = { args: ['--continue'] };
const asked = (): unknown[] => product.simulator.requests.filter(({ path }) => path === '/v1/messages');
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);

/** Claude Code makes images small before it sends them, so Copilot takes less here than any image is. */
function modelsThatTakeTinyImages(): unknown[] {
  const models = defaultModels();
  for (const { capabilities } of models.filter(isObject)) {
    const limits = isObject(capabilities) && isObject(capabilities.limits) ? capabilities.limits : null;
    if (isObject(limits?.vision)) limits.vision.max_prompt_image_size = 60;
  }
  return models;
}

describe.runIf(claudeBinary !== '')('the real Claude Code with an image that is too large', () => {
  const withImage = async (): Promise<void> => {
    product = await startProduct({ models: modelsThatTakeTinyImages() });
    mkdirSync(join(product.home, 'project'));
    writeFileSync(join(product.home, 'project', 'shot.png'), pixel);
  };

  it('C10.2 attached: it says so at once, and goes on without it', async () => {
    await withImage();
    const { code, text } = await runClaude(product, 'what is on @shot.png');
    expect([code, text]).toEqual([1, expect.stringContaining('Request too large')]);
    expect(asked()).toEqual([]);
    expect((await runClaude(product, 'and now?', goOn)).code).toBe(0);
    expect(product.exchanges.map(({ status, initiator, failure }) => [status, initiator, failure?.message])).toEqual([
      [413, 'user', 'It had an image that is too large for this model.'],
      [200, 'user', undefined],
    ]);
  });

  it('C10.2 read by a tool: the model is told, and the turn goes on', async () => {
    await withImage();
    const { code, text } = await runClaude(product, 'read: shot.png');
    expect([code, text]).toEqual([0, expect.stringContaining('[image left out: 0.1 MB > 0 MB]')]);
    expect(product.exchanges.map(({ status, initiator }) => [status, initiator])).toEqual([
      [200, 'user'],
      [200, 'agent'],
    ]);
  });
});

/** A page with nothing on it. */
const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`;

it.runIf(claudeBinary !== '')('a PDF for a model that reads none: one request, and the sentence as it is', async () => {
  product = await startProduct();
  mkdirSync(join(product.home, 'project'));
  writeFileSync(join(product.home, 'project', 'doc.pdf'), pdf);
  const { code, text } = await runClaude(product, 'read: doc.pdf', { model: 'gpt-4.1' });
  expect([code, text]).toEqual([1, expect.stringContaining('can’t read PDFs through Copilot. Switch to claude-')]);
  expect(product.exchanges.map(({ status, failure }) => [status, failure?.code])).toEqual([
    [200, undefined],
    [400, 'pdf-refused'],
  ]);
});

describe.runIf(claudeBinary !== '')('the real Claude Code and the limits that the person has set', () => {
  it('credits of a day: it stops at once, with our words', async () => {
    product = await startProduct({}, { limits: { creditsPerDay: 0.001 } });
    expect((await runClaude(product, 'hi')).code).toBe(0);
    const { code, text } = await runClaude(product, 'hi again');
    expect([code, text]).toEqual([1, expect.stringMatching(/Jumpseat: held back because .+ of the 0\.001 credits/)]);
    expect(asked()).toHaveLength(1);
    expect(product.exchanges.map(({ status, charge }) => [status, charge.kind])).toEqual([
      [200, 'billed'],
      [429, 'none'],
    ]);
  });

  it('premium requests of a day, where the account counts them', async () => {
    product = await startProduct({ user: { tokenBased: false } }, { limits: { premiumRequestsPerDay: 1 } });
    expect((await runClaude(product, 'hi', { model: 'claude-opus-4.8' })).code).toBe(0);
    const { code, text } = await runClaude(product, 'hi again', { model: 'claude-opus-4.8' });
    expect([code, text]).toEqual([
      1,
      expect.stringMatching(/Jumpseat: held back because .+ of the 1 premium requests/),
    ]);
    expect(product.exchanges.map(({ status }) => status)).toEqual([200, 429]);
  });

  it('a burst: its prompt waits, its tool turns do not, and it goes on when it is let through', async () => {
    const limits = (askBeforeBurst: boolean) => ({ limits: { askBeforeBurst, burstPerMinute: 1 } });
    product = await startProduct({}, limits(true));
    expect((await runClaude(product, 'run: echo jump42')).code).toBe(0);
    const waiting = runClaude(product, 'hi again');
    const { baseUrl, key } = product;
    await until(
      async () => {
        const answer = await fetch(`${baseUrl}/metrics`, { headers: { authorization: `Bearer ${key}.test` } });
        return (await answer.text()).includes('jumpseat_requests_held 1');
      },
      () => product.exchanges,
    );
    writeFileSync(join(product.home, 'jumpseat', 'settings.json'), JSON.stringify({ version: 1, ...limits(false) }));
    expect((await waiting).code).toBe(0);
    const isHeld = ({ fits }: Exchange): boolean => fits.some(({ code }) => code === 'held');
    expect(product.exchanges.map((row) => [row.status, row.initiator, isHeld(row)])).toEqual([
      [200, 'user', false],
      [200, 'agent', false],
      [200, 'user', true],
    ]);
  });
});
