import type { AgentSources } from '../../../app/api/sessions.ts';
import type { AgentHandlers, Availability, PreparedStart, SessionStart } from '../../../app/sessions/agents/agent.ts';
import { FakeAgent, type FakeProcess } from '../../app/sessions/host/fake-agent.ts';

/** What a session's programs find the proxy with. */
export interface Access {
  key: string;
  baseUrl: string;
}

/** Claude Code as it is played: by its name, with the key of each session, and not always there. */
export class StagedAgent extends FakeAgent {
  override readonly title = 'Claude Code';
  isThere = true;
  /** By the id of the session. */
  readonly access = new Map<string, Access>();
  readonly #over: Promise<void>;

  /** @param over with this its processes obey at last */
  constructor(over: Promise<void>) {
    super();
    this.#over = over;
  }

  override async availability(): Promise<Availability> {
    if (this.isThere) return { available: true, version: '2.1.328', from: 'own' };
    const reason = 'There is no Claude Code.';
    const fetchable = { bytes: 71_512_883 };
    return { available: false, kind: 'missing', reason, remedy: 'Fetch a copy.', fetchable };
  }

  async sources(): Promise<AgentSources> {
    const own = { path: '/usr/local/bin/claude', version: '2.1.328', problem: null };
    const copy = { version: '2.1.328', isHere: false, bytes: 71_512_883, newer: null };
    const found = this.isThere ? own : null;
    return { chosen: null, own: found, file: null, copy, leaderBytes: 0, wasLed: false, oldest: '2.1.200' };
  }

  override prepare(start: SessionStart): Promise<PreparedStart> {
    const { how, key, baseUrl } = start;
    this.access.set(how.sessionId, { key, baseUrl });
    return super.prepare(start);
  }

  override async connect(handlers: AgentHandlers): Promise<FakeProcess> {
    const process = await super.connect(handlers);
    // All sessions are in one process: one that does not obey would take the others with it.
    process.stop = async () => {
      await this.#over;
      process.die({ code: 0, signal: null });
    };
    return process;
  }
}
