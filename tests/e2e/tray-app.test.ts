import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const electron = process.env.JUMPSEAT_TEST_ELECTRON;
const project = join(import.meta.dirname, '..', '..');

/** The real Electron with the built product, looked at through Chromium's own debugging protocol. */
describe.skipIf(electron === undefined)('the tray app', () => {
  let home: string;
  let child: ChildProcess;
  let page: Page;
  let output = '';

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'jumpseat-e2e-'));
    child = start();
    child.stderr?.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    const devTools = await until(
      () => /DevTools listening on ws:\/\/([^/]+)/.exec(output)?.[1],
      () => output,
    );
    page = await until(
      () => connect(devTools),
      () => output,
    );
    await until(
      async () => (await page.evaluate('document.body.innerText')).includes('Proxy on'),
      () => output,
    );
  });

  afterAll(async () => {
    page?.close();
    if (child && child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    if (home) rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });

  const start = (): ChildProcess =>
    spawn(electron ?? '', ['--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', project], {
      env: { ...process.env, JUMPSEAT_HOME: home, JUMPSEAT_SECRETS: 'memory', JUMPSEAT_PORT: '0' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  const port = (): number => JSON.parse(readFileSync(join(home, 'lock'), 'utf8')).port;
  const health = async () => (await fetch(`http://127.0.0.1:${port()}/healthz`)).json();

  it('serves the proxy and shows its state in the window', async () => {
    expect(await health()).toMatchObject({ ok: true });
    expect(await page.evaluate('document.body.innerText')).toContain(`Proxy on · 127.0.0.1:${port()}`);
  });

  it('shows the page from its own origin, without Node, behind the bridge alone', async () => {
    expect(
      await page.evaluate(
        'JSON.stringify([location.origin, typeof require, typeof process, Object.keys(jumpseat).sort()])',
      ),
    ).toBe(JSON.stringify(['app://bundle', 'undefined', 'undefined', ['exchanges', 'listen', 'setProxy', 'state']]));
  });

  it('lets the page go nowhere and open nothing', async () => {
    expect(await page.evaluate('String(window.open("https://example.com/"))')).toBe('null');
    await page.evaluate('location.href = "https://example.com/"');
    expect(await page.evaluate('location.origin')).toBe('app://bundle');
    expect(await page.evaluate('fetch("https://example.com/").then(() => "loaded", () => "refused")')).toBe('refused');
    expect(await page.evaluate('Notification.requestPermission()')).toBe('denied');
  });

  it('refuses calls that make no sense', async () => {
    expect(await page.evaluate('jumpseat.setProxy("yes").then(() => "done", (error) => error.message)')).toContain(
      'true or false',
    );
    expect(await page.evaluate('jumpseat.exchanges(1e9).then(() => "done", (error) => error.message)')).toContain(
      '1 to 1000',
    );
  });

  it('turns the proxy off and on from the window', async () => {
    const click = 'document.querySelector("header button").click()';
    const shows = (text: string) => until(async () => (await page.evaluate('document.body.innerText')).includes(text));
    await page.evaluate(click);
    await shows('Proxy off');
    expect(existsSync(join(home, 'lock'))).toBe(false);
    await page.evaluate(click);
    await shows('Proxy on');
    expect(await health()).toMatchObject({ ok: true });
  });

  it('a second one leaves at once', async () => {
    const second = start();
    second.stderr?.resume();
    const [code] = await once(second, 'exit');
    expect(code).toBe(0);
    expect(await health()).toMatchObject({ ok: true });
  });

  it('ends in order when it is told to', async () => {
    child.kill('SIGTERM');
    const [code, signal] = await once(child, 'exit');
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(existsSync(join(home, 'lock'))).toBe(false);
  });
});

interface Page {
  /** The value of an expression, as text. */
  evaluate(expression: string): Promise<string>;
  close(): void;
}

/** The window's page; undefined as long as there is none. */
async function connect(devTools: string): Promise<Page | undefined> {
  const targets: { type: string; url: string; webSocketDebuggerUrl: string }[] = await (
    await fetch(`http://${devTools}/json`)
  ).json();
  const target = targets.find(({ type, url }) => type === 'page' && url.startsWith('app://'));
  if (!target) return undefined;
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  const waiting = new Map<number, (answer: { result?: { result?: { value?: unknown } } }) => void>();
  let last = 0;
  socket.onmessage = (message) => {
    const answer = JSON.parse(String(message.data));
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  };
  await new Promise((resolve) => {
    socket.onopen = resolve;
  });
  return {
    async evaluate(expression) {
      last += 1;
      const id = last;
      const answer = await new Promise<{ result?: { result?: { value?: unknown } } }>((resolve) => {
        waiting.set(id, resolve);
        socket.send(
          JSON.stringify({
            id,
            method: 'Runtime.evaluate',
            params: { expression, awaitPromise: true, returnByValue: true },
          }),
        );
      });
      return String(answer.result?.result?.value);
    },
    close: () => socket.close(),
  };
}

/** Waits for something that only another process can bring about. */
async function until<Found>(look: () => Found | Promise<Found>, explain = () => ''): Promise<NonNullable<Found>> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`It did not come to that.\n${explain()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
