import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startStack } from '../app/stack.ts';

/** Lists the sessions below a folder twice, in a process of its own: `node session-list-app.ts CLAUDE-FOLDER HOME`. */
const [claudeFolder = '', home = ''] = process.argv.slice(2);
const stack = await startStack({ home, idle: true, app: { environment: { CLAUDE_CONFIG_DIR: claudeFolder } } });
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const times: number[] = [];
let listed = 0;
for (let round = 0; round < 2; round += 1) {
  const began = performance.now();
  const { sessions } = await stack.app.sessionList();
  times.push(performance.now() - began);
  if (round === 0) delay.disable();
  listed = sessions.length;
}
process.send?.({ first: times[0], second: times[1], longestMs: delay.max / 1e6, listed });
await stack.close();
