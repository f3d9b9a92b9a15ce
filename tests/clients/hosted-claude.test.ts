import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HostedClaude, hostClaude } from './hosted-claude.ts';
import { type Product, startProduct } from './product.ts';

/** The real Claude Code behind the real adapter and our entry, through the product, against the simulator. */
let product: Product;
let hosted: HostedClaude;
beforeEach(async () => {
  product = await startProduct();
});
afterEach(async () => {
  await hosted?.connection.stop();
  await product.close();
});

interface Process {
  pid: number;
  args: string;
  environment: string;
}

/** All that has the home of this test in its environment. */
function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const read = (file: string): string => {
        try {
          return readFileSync(`/proc/${pid}/${file}`, 'latin1');
        } catch {
          return '';
        }
      };
      const environment = read('environ');
      if (!environment.split('\0').includes(`HOME=${product.home}`) || !environment.includes('JUMPSEAT_AGENT='))
        return [];
      return [{ pid: Number(pid), args: read('cmdline').replaceAll('\0', ' '), environment }];
    });
}

describe('a session of the real Claude Code', () => {
  it('runs a tool when it is allowed, under the id and the name that were chosen', async () => {
    hosted = await hostClaude(product);
    const id = randomUUID();
    expect(await hosted.start({ kind: 'new', sessionId: id })).toMatchObject({
      sessionId: id,
      modes: { currentModeId: 'default' },
    });
    expect(await hosted.prompt(id, 'run: touch made')).toMatchObject({ stopReason: 'end_turn' });
    expect(hosted.asked.map(({ toolCall }) => toolCall.title)).toEqual(['touch made']);
    expect(existsSync(join(hosted.project, 'made'))).toBe(true);
    await product.settled();
    const rows = product.exchanges.filter(({ initiator }) => initiator === 'user');
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ client: id });
  });

  it('keeps the key in no argument, no environment and no file', async () => {
    hosted = await hostClaude(product);
    await hosted.start({ kind: 'new', sessionId: randomUUID() });
    const running = processes();
    expect(running.map(({ args }) => args).join('\n')).toContain('claude');
    const found = running.filter(({ args, environment }) => `${args}${environment}`.includes(product.key));
    expect(found.map(({ args }) => args.slice(0, 80))).toEqual([]);
    expect(running.filter(({ environment }) => environment.includes('ANTHROPIC_API_KEY='))).toEqual([]);
    expect(readdirSync(join(product.home, 'jumpseat', 'agents'))).toEqual([]);
  });
});
