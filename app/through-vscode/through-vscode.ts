import { join } from 'node:path';
import { notDirectly } from '../account/account-error.ts';
import { asNumber, asObject, asText } from '../account/read-response.ts';
import type { ReachState } from '../api/account.ts';
import type { Exchange } from '../api/exchange.ts';
import { Catalog } from '../copilot/catalog.ts';
import { type CatalogModel, MalformedCatalogError } from '../copilot/model-entry.ts';
import type { UsedAccount } from '../exchange/dependencies.ts';
import type { Ports } from '../ports.ts';
import { allowedModels } from '../settings/policy.ts';
import type { SettingsStore } from '../settings/settings.ts';
import { catalogModel } from './catalog-model.ts';
import { VscodeClient } from './vscode-client.ts';
import { VscodeWindow } from './vscode-window.ts';

interface ThroughVscodeDependencies {
  ports: Pick<Ports, 'dialer' | 'clock' | 'log' | 'redact' | 'hideSecret' | 'paths'>;
  settings: Pick<SettingsStore, 'current' | 'policy' | 'policyProblem'>;
  changed(): void;
  /** Told of each request that ended. */
  ended(exchange: Exchange): void;
  /** For tests. */
  lookEveryMs?: number;
}

/**
 * Copilot through the extension in VS Code, as far as a request has to do with it: it stands in the place of an
 * account, and asks GitHub for nothing.
 */
export class ThroughVscode {
  readonly window: VscodeWindow;
  readonly used: UsedAccount;
  readonly #settings: Pick<SettingsStore, 'current'>;

  constructor({ ports, settings, changed, ended, lookEveryMs }: ThroughVscodeDependencies) {
    const { dialer, clock, log, redact, hideSecret, paths } = ports;
    this.#settings = settings;
    this.window = new VscodeWindow({
      ...{ dialer, log, hideSecret, changed },
      path: join(paths.home, 'vscode.json'),
      // Another window may have another account, and other models.
      windowChanged: () => this.used.catalog.forget(),
      ...(lookEveryMs === undefined ? {} : { lookEveryMs }),
    });
    const client = new VscodeClient({ window: this.window, dialer, clock, redact });
    this.used = {
      // In the ledger: what an account of ours has accepted is nothing to it.
      id: 'through-vscode',
      name: null,
      reach: 'through-vscode',
      account: {
        state: () => ({ kind: 'signed-out' }),
        quota: () => null,
        usageWindows: () => ({ session: null, weekly: null }),
        servesAuto: () => false,
        githubToken: () => Promise.reject(notDirectly()),
      },
      client,
      catalog: new Catalog({ client, clock, log, changed, read: readModels, allowed: allowedModels(settings) }),
      auto: { of: () => Promise.resolve(null), end: () => undefined },
      ended,
    };
  }

  isChosen(): boolean {
    return this.#settings.current().reach === 'through-vscode';
  }

  state(): ReachState {
    return this.isChosen() ? { kind: 'through-vscode', window: this.window.state() } : { kind: 'directly' };
  }

  /** The settings may say something else than before. */
  follow(): void {
    this.window.watch(this.isChosen());
  }

  close(): void {
    this.window.close();
  }
}

/** Reads the extension's `GET /v1/models`, which lists what VS Code offers of Copilot's. */
function readModels(json: unknown): CatalogModel[] {
  const entries = asObject(json)?.data;
  if (!Array.isArray(entries)) throw new MalformedCatalogError('the list of models is no list');
  return entries.flatMap((value) => {
    const entry = asObject(value);
    const id = entry && asText(entry.id);
    if (!entry || !id) return [];
    const images = asObject(asObject(entry.capabilities)?.image_input)?.supported;
    const facts = { id, name: asText(entry.display_name) ?? id, family: id, version: '' };
    // The list says nothing of tools: VS Code refuses them itself where a model has none.
    const can = { takesImages: images === true, callsTools: true };
    return [catalogModel({ ...facts, ...can, maxInputTokens: asNumber(entry.max_input_tokens) })];
  });
}
