import { randomUUID } from 'node:crypto';

/** Times in ms. `alone`: the adapter until its new session has answered. `host`: from a message to its turn. */
export interface ReadyTimes {
  host: number[];
  alone: number[];
}

/** By turns, so that what else runs meets both alike. The reason where there is no Claude Code for this machine. */
export async function readyTimes(rounds: number): Promise<ReadyTimes | { reason: string }> {
  if (!process.env.JUMPSEAT_TEST_CLAUDE) return { reason: 'there is no Claude Code for this machine' };
  // Loaded for this part alone: they bring the real agent along.
  const { HostedFront } = await import('../clients/hosted-front.ts');
  const { claudeOf } = await import('../clients/hosted-agent.ts');
  const times: ReadyTimes = { host: [], alone: [] };
  for (let round = 0; round < rounds; round += 1) {
    const front = await HostedFront.start(claudeOf);
    try {
      const { app, project } = front;
      const { id } = await app.newSession({ cwd: project, agent: 'claude', title: null, choices: {} });
      const began = performance.now();
      const prompt = [{ type: 'text', text: 'count to 3' }];
      const started = new Promise<void>((resolve) => {
        app.listen((event) => {
          if (event.event === 'session-event' && event.entry.kind === 'turn-started') resolve();
        });
      });
      const { turnId } = await app.sendMessage({ session: id, prompt });
      await started;
      times.host.push(performance.now() - began);
      await front.ended(turnId);
      await app.unloadSession(id);
      times.alone.push(await alone(claudeOf({ home: front.home }), front));
    } finally {
      await front.close();
    }
  }
  return times;
}

type Agent = ReturnType<typeof import('../clients/hosted-agent.ts').claudeOf>;

async function alone(
  agent: Agent,
  front: { project: string; stack: { baseUrl: string; key: string } },
): Promise<number> {
  const began = performance.now();
  const connection = await agent.connect(
    {
      update: () => undefined,
      requestPermission: async () => ({ outcome: { outcome: 'cancelled' } }),
      createElicitation: async () => ({ action: 'cancel' }),
      extension: () => undefined,
    },
    {},
  );
  try {
    const { method, params, release } = await agent.prepare({
      ...{ how: { kind: 'new', sessionId: randomUUID() }, cwd: front.project, additionalDirectories: [], model: null },
      ...{ effort: null, mode: null, title: 'A session', trusted: false, mcpServers: [], plugins: [] },
      ...{ pluginsOn: [], pluginsOff: [] },
      untrustedAbove: [],
      untrustedDirectories: [],
      ...{ key: `${front.stack.key}.alone`, baseUrl: front.stack.baseUrl },
    });
    await connection.request(method, params).finally(release);
    return performance.now() - began;
  } finally {
    await connection.stop();
  }
}
