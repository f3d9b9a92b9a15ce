import { useActions } from '../state/actions.ts';
import { copyText } from '../state/copy-text.ts';
import { toast } from '../state/notices.ts';
import { useApp, useServices } from '../state/services.ts';
import { bugReport } from './bug-report.ts';
import { toCurl, toJsonLines } from './export.ts';
import { fetchExchange } from './fetch-exchange.ts';

/** In which form a request is copied. */
export type CopyForm = 'curl' | 'json' | 'report';

export function useCopyRequest(): (id: string, form: CopyForm) => Promise<void> {
  const services = useServices();
  const app = useApp();
  const actions = useActions();
  const { bridge, store } = services;
  const copyAs = async (id: string, form: CopyForm): Promise<void> => {
    const exchange = await fetchExchange(services, id);
    if (exchange === null) return toast(store, 'The history has this request no more.', { kind: 'failed' });
    const baseUrl = app.proxy.kind === 'on' ? app.proxy.baseUrl : 'http://127.0.0.1:4180';
    if (form === 'curl') {
      const body = await bridge.recordedBody(id, 'received', { whole: true });
      await copyText(store, toCurl(exchange, baseUrl, body?.text), 'Copied as cURL');
    } else if (form === 'json') await copyText(store, toJsonLines([exchange]).trim(), 'Copied as JSON');
    else {
      const { headers } = await bridge.recorded(id);
      await copyText(store, bugReport(exchange, app.version, headers), 'Copied for a bug report');
    }
  };
  return (id, form) => actions.tried(copyAs(id, form));
}
