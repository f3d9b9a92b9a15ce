import type { Access } from '../account/admission.ts';
import { addressUnder } from '../settings/github-addresses.ts';

/** Where requests go: under the host that came with their bearer. */
export class Addresses {
  /** Each address is made once for what gives access. */
  readonly #known = new WeakMap<Access, Map<string, URL>>();

  of(access: Access, path: string): URL {
    let known = this.#known.get(access);
    if (known === undefined) {
      known = new Map();
      this.#known.set(access, known);
    }
    let address = known.get(path);
    if (address === undefined) {
      address = addressOf(access, path);
      known.set(path, address);
    }
    return address;
  }
}

/** Guards the one rule about bearers: to the host that was named with them and nowhere else. */
function addressOf(access: Access, path: string): URL {
  const url = addressUnder(access.apiBase, path);
  if (url.host !== access.apiBase.host || url.protocol !== access.apiBase.protocol) {
    throw new Error('a request would leave the host that its bearer belongs to');
  }
  return url;
}
