import http from 'node:http';
import type https from 'node:https';
import { isIPv6 } from 'node:net';
import { TrustedCertificates } from './certificates.ts';
import { type ProxyServer, proxyAddress } from './proxy.ts';
import { DirectAgent, TunnelAgent } from './tunnels.ts';

const keptConnections = 32;
const keptForMs = 60_000;
/** Ways that keep connections at the same time; the one that was used longest ago goes first. */
const mostWays = 8;

const agentOptions = {
  /** Whatever the environment says by then. */
  rejectUnauthorized: true,
  keepAlive: true,
  noDelay: true,
  maxSockets: Number.POSITIVE_INFINITY,
  maxFreeSockets: keptConnections,
  /** Timeout of an idle connection; in use, the request's own limits hold. */
  timeout: keptForMs,
};

/** Connections that are kept for the next request: a set of them for each way that requests leave by. */
export class KeptConnections {
  /** Plain connections go to loopback only and need no proxy. */
  readonly #plain = new http.Agent(agentOptions);
  readonly #secure = new Map<string, https.Agent>();
  readonly certificates = new TrustedCertificates();
  #usedAt = 0;

  /** @param proxy null: directly */
  agentFor(proxy: ProxyServer | null, secure: boolean): http.Agent {
    if (!secure) return this.#plain;
    const key = proxy === null ? '' : proxyAddress(proxy);
    const agent = this.#secure.get(key) ?? this.#makeAgent(proxy);
    // The last one of the map is the one that was used last.
    if (this.#secure.size > 1) this.#secure.delete(key);
    this.#secure.set(key, agent);
    if (this.#secure.size > mostWays) this.#forgetOldestWay();
    return agent;
  }

  /** For one request to this address: a kept connection may have been made to another address of that name. */
  only(address: string, secure: boolean): Pick<http.RequestOptions, 'agent' | 'lookup'> {
    const family = isIPv6(address) ? 6 : 4;
    const once = { ...agentOptions, keepAlive: false };
    return {
      agent: secure ? this.#makeAgent(null, once) : new http.Agent(once),
      lookup: (_name, { all }, done) => (all ? done(null, [{ address, family }]) : done(null, address, family)),
    };
  }

  #makeAgent(proxy: ProxyServer | null, ofAgent = agentOptions): https.Agent {
    const secureContext = this.certificates.context();
    const options = { ...ofAgent, ...(secureContext && { secureContext }) };
    return proxy === null ? new DirectAgent(options) : new TunnelAgent(proxy, options);
  }

  #forgetOldestWay(): void {
    for (const [key, agent] of this.#secure) {
      this.#secure.delete(key);
      letGoOf(agent);
      return;
    }
  }

  /**
   * Adds the certificates that this machine trusts, a company's among them, when a certificate was not trusted: nothing
   * has been sent then. False when it was done before.
   */
  trustTheMachine(): boolean {
    const isNew = this.certificates.trustSystem();
    if (isNew) this.#letGoOfSecure();
    return isNew;
  }

  /** Connections that were checked with other certificates are not used again. */
  trustFile(path: string | null): void {
    this.certificates.trustFile(path);
    this.#letGoOfSecure();
  }

  #letGoOfSecure(): void {
    for (const agent of this.#secure.values()) letGoOf(agent);
    this.#secure.clear();
  }

  /**
   * Connections do not outlive the sleep of a machine, of which no event tells: after a long silence they are not used
   * again.
   */
  letGoAfterSleep(): void {
    const now = Date.now();
    if (now - this.#usedAt > keptForMs || now < this.#usedAt) this.letGo();
    this.#usedAt = now;
  }

  letGo(): void {
    letGoOf(this.#plain);
    for (const agent of this.#secure.values()) letGoOf(agent);
  }

  close(): void {
    this.#plain.destroy();
    for (const agent of this.#secure.values()) agent.destroy();
    this.#secure.clear();
  }
}

/** Closes what is kept; what is in use goes on. */
function letGoOf(agent: http.Agent): void {
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy();
  }
}
