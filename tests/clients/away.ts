import { writeFileSync } from 'node:fs';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createSecureContext, type SecureContext } from 'node:tls';
import { createAuthority } from '../app/adapters/certificate.ts';
import { temporaryFolder } from '../app/adapters/folder.ts';
import { connectProxy, type TestProxy } from '../app/adapters/proxies.ts';

/** Hosts of the internet that stand on this machine, behind a company's proxy and with its certificates. */
export interface Away {
  proxy: TestProxy;
  /** For a program that is to get there. */
  environment: Record<string, string>;
  close(): Promise<void>;
}

/** One server stands for every host, with a certificate for each. */
export async function startAway(
  names: readonly string[],
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Away> {
  const authority = createAuthority();
  const contexts = new Map(names.map((name) => [name, createSecureContext(authority.issue(name))]));
  const SNICallback = (name: string, done: (error: null, context: SecureContext | undefined) => void) =>
    done(null, contexts.get(name));
  const server = https.createServer({ ...authority.issue('nobody.example'), SNICallback }, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const ports = new Map(names.map((name) => [`${name}:443`, port]));
  const proxy = await connectProxy({ ports, wants: 'name:password' });
  const certificate = join(temporaryFolder(), 'company.pem');
  writeFileSync(certificate, authority.certificate);
  return {
    proxy,
    environment: { HTTPS_PROXY: `http://name:password@127.0.0.1:${proxy.port}`, NODE_EXTRA_CA_CERTS: certificate },
    close: async () => {
      proxy.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** To a server without TLS on this machine, as it came. */
export function forward(origin: string, incoming: IncomingMessage, answer: ServerResponse): void {
  const { method, headers, url } = incoming;
  incoming.pipe(
    request(new URL(url ?? '', origin), { method, headers }, (theirs) => {
      answer.writeHead(theirs.statusCode ?? 502, theirs.headers);
      theirs.pipe(answer);
    }),
  );
}
