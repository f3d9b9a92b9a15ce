import type { PlanName } from './plan-names.ts';
import { type Simulator, startSimulator } from './simulator.ts';

/** Milliseconds between two events of an answer: about the pace of a real model. */
const humanPace = 45;

/** A simulator as the demo wants it: at a human pace, and with room on its plan unless another one is wanted. */
export function startDemoSimulator(port = 0, plan: PlanName = 'pro-plus'): Promise<Simulator> {
  return startSimulator({ port, plan, thinkMs: humanPace });
}

/**
 * The environment that points the product at a simulator. The token is a fake, and `JUMPSEAT_SECRETS` keeps it in
 * memory.
 */
export function demoEnvironment(simulator: Simulator): Record<string, string> {
  return {
    JUMPSEAT_GITHUB_URL: simulator.webUrl,
    JUMPSEAT_GITHUB_API_URL: simulator.apiUrl,
    JUMPSEAT_GITHUB_TOKEN: simulator.githubToken,
    JUMPSEAT_SECRETS: 'memory',
  };
}
