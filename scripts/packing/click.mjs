import { setTimeout as sleep } from 'node:timers/promises';

/**
 * `click.mjs PORT`, on Node 24: clicks in the window of a Jumpseat that was started with a port for debuggers, as a
 * mouse does. `Skip` leaves the first run, and `Health` has to open.
 */
const [, , port] = process.argv;

async function pageOf() {
  for (let tries = 0; tries < 60; tries++) {
    const pages = await fetch(`http://127.0.0.1:${port}/json/list`).then((answer) => answer.json());
    const page = pages.find(({ type }) => type === 'page');
    if (page) return page;
    await sleep(500);
  }
  throw new Error('The tray app has no window.');
}

const socket = new WebSocket((await pageOf()).webSocketDebuggerUrl);
await new Promise((resolve, reject) => {
  socket.onopen = resolve;
  socket.onerror = () => reject(new Error('The window can’t be looked into.'));
});
const waiting = new Map();
socket.onmessage = ({ data }) => {
  const { id, result, error } = JSON.parse(data);
  if (error) waiting.get(id)?.reject(new Error(error.message));
  else waiting.get(id)?.resolve(result);
};
let calls = 0;
const call = (method, params) => {
  calls += 1;
  const { promise, resolve, reject } = Promise.withResolvers();
  waiting.set(calls, { resolve, reject });
  socket.send(JSON.stringify({ id: calls, method, params }));
  return promise;
};
const evaluate = async (expression) =>
  (await call('Runtime.evaluate', { expression, returnByValue: true })).result.value;

async function until(expression, what) {
  for (let tries = 0; tries < 60; tries++) {
    const found = await evaluate(expression);
    if (found) return found;
    await sleep(250);
  }
  throw new Error(`${what} In the window: ${await evaluate('document.body.innerText.slice(0, 400)')}`);
}

/** The middle of the first thing to click that is called so. */
const middleOf = (name) => `(() => {
  const found = [...document.querySelectorAll('button, a, [role=tab]')]
    .find((one) => one.innerText.trim().split('\\n')[0] === ${JSON.stringify(name)} && one.getClientRects().length > 0);
  const box = found?.getBoundingClientRect();
  return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null;
})()`;

async function click(name) {
  const at = { ...(await until(middleOf(name), `There is no “${name}”.`)), button: 'left', clickCount: 1 };
  for (const type of ['mousePressed', 'mouseReleased']) await call('Input.dispatchMouseEvent', { type, ...at });
}

await click('Skip');
await click('Health');
await until('/passed|Checking/.test(document.body.innerText)', '“Health” did not open.');
socket.close();
