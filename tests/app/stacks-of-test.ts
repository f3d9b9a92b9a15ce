import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { type Stack, type StackOptions, startStack } from './stack.ts';

/** Stacks that share one home in each test of a file, put away after it. Made once, outside of any test. */
export class StacksOfTest {
  home = '';
  readonly #stacks: Stack[] = [];
  readonly #servers: Server[] = [];

  constructor(name: string) {
    beforeEach(() => {
      this.home = mkdtempSync(join(tmpdir(), `jumpseat-${name}-`));
    });
    afterEach(async () => {
      for (const stack of this.#stacks.splice(0)) await stack.close();
      for (const server of this.#servers.splice(0)) server.close();
      rmSync(this.home, { recursive: true, force: true });
    });
  }

  async start(options: StackOptions = {}): Promise<Stack> {
    const stack = await startStack({ home: this.home, ...options });
    this.#stacks.push(stack);
    return stack;
  }

  /** A port on which another program listens. */
  async occupied(): Promise<number> {
    const server = createServer((_request, response) => response.end());
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }
}
