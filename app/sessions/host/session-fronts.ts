import type { McpServer } from '@agentclientprotocol/sdk/unstable';

/** Fronts that have a session open, and the servers they bring along: in memory alone, these may hold secrets. */
export class SessionFronts {
  readonly #servers = new Map<object, readonly McpServer[] | null>();

  /** @param servers null: it says nothing of any */
  open(front: object, servers: readonly McpServer[] | null): void {
    const known = this.#servers.get(front);
    this.#servers.delete(front);
    this.#servers.set(front, servers ?? known ?? null);
  }

  leave(front: object): void {
    this.#servers.delete(front);
  }

  /** Those of the front that named its own last. */
  get servers(): readonly McpServer[] {
    return [...this.#servers.values()].findLast((servers) => servers !== null) ?? [];
  }

  /** Whether another front than this one has it open. */
  hasOthers(front: object): boolean {
    return [...this.#servers.keys()].some((one) => one !== front);
  }
}
