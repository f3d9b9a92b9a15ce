/** A proxy on the way to a host. */
export interface ProxyServer {
  protocol: 'http' | 'https' | 'socks4' | 'socks5';
  /** A name or an address; IPv6 without brackets. */
  host: string;
  port: number;
  /** `name:password`, percent-encoded as in an address. It appears in no error and no log. */
  auth: string | null;
}

/** What to try, in this order. Null is the direct way. */
export type Routes = readonly (ProxyServer | null)[];

/** Knows which way leads to a host. Never asked about loopback. */
export interface Router {
  /** At once where it is known. Must not reject. */
  routes(url: URL): Routes | Promise<Routes>;
  /** This proxy could not be reached: for a while others come first. */
  unreachable(proxy: ProxyServer): void;
  /** None of these routes worked: the network may be another one. True when it is worth to ask for them again. */
  outdated(url: URL, routes: Routes): boolean;
}

/** `proxy.example:3128`, as a person knows it. */
export function proxyName({ host, port }: ProxyServer): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** With its password: for Node's agents alone, never to be shown or logged. */
export function proxyAddress(proxy: ProxyServer): string {
  return `${proxy.protocol}://${proxy.auth === null ? '' : `${proxy.auth}@`}${proxyName(proxy)}`;
}

/** Hosts on this machine: no proxy reaches them, and none may see what goes to them. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);
}
