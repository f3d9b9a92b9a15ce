import { type Dialed, type DialRequest, NetworkError, type ScriptReport } from '../ports.ts';
import { AskedProxies, readScriptAnswer } from './asked-proxies.ts';
import type { Routes } from './proxy.ts';
import type { ProxyScript } from './proxy-script.ts';

interface ScriptedProxiesDependencies {
  address: string;
  /** Asks a server without any proxy. */
  dial: (request: DialRequest) => Promise<Dialed>;
  env: Readonly<Record<string, string | undefined>>;
}

/**
 * Proxies that the PAC script of a person chooses. One that can't be used fails every request that it should have
 * decided: the direct way is taken only where the script says so.
 */
export class ScriptedProxies extends AskedProxies {
  readonly #script: () => Promise<ProxyScript>;
  readonly #shown: string;

  constructor({ address, dial, env }: ScriptedProxiesDependencies) {
    let loaded: Promise<ProxyScript> | null = null;
    // Few have one: what it needs is loaded when it is asked.
    const script = (): Promise<ProxyScript> => {
      loaded ??= import('./proxy-script.ts').then(({ ProxyScript }) => new ProxyScript({ address, dial }));
      return loaded;
    };
    // A query may hold what is nobody's business.
    const shown = address.replace(/[?#].*$/, '');
    super({
      from: 'script',
      ask: (url) => askScript(script, shown, url),
      env,
      ticks: Date.now,
      outdated: () => void script().then((made) => made.reload()),
    });
    this.#script = script;
    this.#shown = shown;
  }

  /** Asks the script for an address, for doctor. */
  async report(url: URL): Promise<ScriptReport> {
    const script = await this.#script();
    const { answer, problem } = await script.find(url);
    const unusable = { address: this.#shown, answer: null, readAt: null };
    if (answer === null) return { ...unusable, problem };
    if (readScriptAnswer(answer) === null) return { ...unusable, problem: unspoken(answer) };
    const { staleBecause, readAt } = script;
    return { address: this.#shown, answer: oneLine(answer) || 'DIRECT', problem: staleBecause, readAt };
  }
}

async function askScript(script: () => Promise<ProxyScript>, shown: string, url: URL): Promise<Routes> {
  const { answer, problem } = await (await script()).find(url);
  const routes = answer === null ? null : readScriptAnswer(answer);
  if (routes !== null) return routes;
  const message = `the PAC script ${shown} ${problem ?? unspoken(answer ?? '')}`;
  throw new NetworkError(url.host, 'ERR_PAC', message, { nothingSent: true });
}

function unspoken(answer: string): string {
  return `answered “${oneLine(answer)}”, which names no proxy that Jumpseat can use`;
}

function oneLine(words: string): string {
  return words
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, 120);
}
