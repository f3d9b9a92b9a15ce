import type { SimulatorOptions } from './options.ts';
import type { RecordedRequest } from './record.ts';
import type { Script } from './script.ts';

export type { SimulatedUser, SimulatorOptions } from './options.ts';
export type { RecordedRequest } from './record.ts';
export type { ChatQuirks, Match, Reply, Script, StreamStep, Violation } from './script.ts';

/** A GitHub and a Copilot on this machine, strict where the real ones are strict. */
export interface Simulator {
  /** Stands for https://github.com. */
  readonly webUrl: string;
  /** Stands for https://api.github.com. */
  readonly apiUrl: string;
  /** Where Copilot's API is now; `script.moveHost()` changes it. */
  readonly copilotUrl: string;
  /** A GitHub token that is accepted here and means nothing anywhere else. */
  readonly githubToken: string;
  /** Everything Copilot was sent, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Everything the two GitHub services were sent. */
  readonly githubRequests: readonly RecordedRequest[];
  readonly script: Script;
  /** Ends every connection and resolves when all is closed. */
  close(): Promise<void>;
}

/** Listens on 127.0.0.1. Rejects when `port` is taken. */
export function startSimulator(_options: SimulatorOptions = {}): Promise<Simulator> {
  return Promise.reject(new Error('not yet'));
}
