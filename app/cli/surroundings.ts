import type { Composed } from '../compose.ts';
import type { Environment, OwnVariables } from '../environment.ts';
import type { Secrets } from '../ports.ts';
import type { Terminal } from './terminal.ts';

/** What every command gets. */
export interface Surroundings {
  terminal: Terminal;
  env: Environment;
  /** The app with the adapters that settings and variables ask for. The command closes it. */
  open(options?: OpenOptions): Promise<Opened>;
}

export interface OpenOptions {
  /** Added to the variables, over those of the process. */
  env?: Environment;
  /** GitHub and Copilot are simulated on this machine. */
  isDemo?: boolean;
  /** Instead of those that settings and variables ask for. */
  secrets?: Secrets;
  /** This process will own the folder: it writes the history. */
  owner?: boolean;
  /** The person agreed to keep secrets in a file. */
  insecureStorage?: boolean;
}

export interface Opened extends Composed {
  variables: OwnVariables;
}

/** Runs `use` with an open app and closes it, whatever happens. */
export async function withApp<T>(
  surroundings: Surroundings,
  options: OpenOptions,
  use: (opened: Opened) => Promise<T>,
): Promise<T> {
  const opened = await surroundings.open(options);
  try {
    return await use(opened);
  } finally {
    await opened.close();
  }
}
