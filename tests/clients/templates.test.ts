import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTemplate, writeTemplate } from '../../renderer/sessions/templates/template-text.ts';
import { claudeBinary, runClaude } from './claude.ts';
import { type Product, startProduct } from './product.ts';

/** A template is Claude Code's own file of a command: what it makes of one in a terminal. */
describe.runIf(claudeBinary !== '')('a template as a command of the real Claude Code', () => {
  let product: Product;
  beforeEach(async () => {
    product = await startProduct();
  });
  afterEach(() => product.close());

  async function sentFor(prompt: string): Promise<string> {
    await runClaude(product, prompt);
    await product.settled();
    return JSON.stringify(product.simulator.requests.filter(({ path }) => path === '/v1/messages').at(-1)?.body);
  }

  it('says what Jumpseat puts into the message field for the same words', async () => {
    const text = 'Review {{file}} for {{issue}}: $5, $file, $issues and $1 stay. END';
    const folder = join(product.home, '.claude', 'commands');
    mkdirSync(folder, { recursive: true });
    const raw = writeTemplate({ text, places: [], description: null });
    writeFileSync(join(folder, 'look-at.md'), raw);
    expect(readTemplate(raw).text).toBe(text);
    const sent = await sentFor('/look-at "src/a b.ts" 42');
    expect(sent).toContain('Review src/a b.ts for 42: $5, $file, $issues and $1 stay. END');
    expect(sent).not.toContain('ARGUMENTS:');
    const all = writeTemplate({ text: 'Say {{ARGUMENTS}} again. END', places: [], description: null });
    writeFileSync(join(folder, 'again.md'), all);
    expect(await sentFor('/again one two')).toContain('Say one two again. END');
  });
});
