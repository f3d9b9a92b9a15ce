import type { AppState, Charge, Exchange } from '../app/api.ts';

const nanoPerCredit = 1e9;

/** What it cost, in words; unknown is never shown as nothing. */
export function chargeText(charge: Charge): string {
  if (charge.kind === 'pending') return '…';
  if (charge.kind === 'none') return '–';
  if (charge.nanoAiu !== null) return `${(charge.nanoAiu / nanoPerCredit).toFixed(3)} credits`;
  if (charge.premiumRequests !== null) return `${charge.premiumRequests} premium`;
  return charge.kind === 'free' ? 'free' : 'unknown';
}

export function modelText({ askedModel, servedModel }: Exchange): string {
  if (askedModel === null) return servedModel ?? '–';
  return servedModel === null || servedModel === askedModel ? askedModel : `${askedModel} → ${servedModel}`;
}

export function statusText(exchange: Exchange): string {
  if (exchange.outcome === 'running') return 'running';
  const status = exchange.status === null ? '' : ` ${exchange.status}`;
  return `${exchange.outcome}${status}`;
}

export function accountText(account: AppState['account']): string {
  switch (account.kind) {
    case 'signed-out':
      return 'Signed out';
    case 'signing-in':
      return `Enter code ${account.code.userCode} at ${account.code.verificationUri}`;
    case 'signed-in':
      return [account.login ?? 'Signed in', account.plan].filter((part) => part !== null).join(' · ');
  }
}

export function proxyText(proxy: AppState['proxy']): string {
  switch (proxy.kind) {
    case 'off':
      return 'Proxy off';
    case 'starting':
      return 'Starting…';
    case 'stopping':
      return 'Stopping…';
    case 'on':
      return `Proxy on · ${proxy.baseUrl.replace(/^https?:\/\//, '')}`;
    case 'failed':
      return `Proxy stopped · ${proxy.reason}`;
  }
}
