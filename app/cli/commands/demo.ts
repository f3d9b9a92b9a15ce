import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { t } from '../../language/translate.ts';
import { planNames } from '../../simulator/options.ts';
import { demoEnvironment, startDemoSimulator } from '../../simulator/simulator.ts';
import { readName, readPort } from '../options.ts';
import type { Surroundings } from '../surroundings.ts';
import { serveWith } from './serve.ts';

interface DemoOptions {
  port?: string;
  plan: string;
  json?: boolean;
}

/**
 * `jumpseat demo`: the whole product against a GitHub and a Copilot of this process; nothing is left of it afterwards.
 */
export async function demo(surroundings: Surroundings, options: DemoOptions): Promise<number> {
  const { terminal } = surroundings;
  const port = options.port === undefined ? null : readPort(options.port, '--port');
  const plan = readName('--plan', planNames, options.plan);
  const home = await mkdtemp(join(tmpdir(), 'jumpseat-demo-'));
  const simulator = await startDemoSimulator(0, plan);
  const env = { ...demoEnvironment(simulator), JUMPSEAT_HOME: home };
  try {
    return await serveWith(
      surroundings,
      { port, json: options.json === true, lines: true },
      { env, isDemo: true },
      () => [
        terminal.style(
          ['bold', 'yellow'],
          t('This is a demo: GitHub and Copilot are simulated on this machine. Nothing leaves it, nothing is billed.'),
        ),
        '',
      ],
    );
  } finally {
    await simulator.close();
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  }
}
