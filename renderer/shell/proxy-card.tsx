import classNames from 'classnames/bind';
import { useEffect, useState } from 'react';
import type { ProxyState } from '../../app/api/state.ts';
import { type Message, msg } from '../../app/language/messages.ts';
import { t, translated } from '../../app/language/translate.ts';
import { failedProxyWords, isServedElsewhere } from '../../app/words/status.ts';
import { IconButton } from '../parts/button.tsx';
import { Switch } from '../parts/choices.tsx';
import { Copy } from '../parts/icons.tsx';
import { useActions } from '../state/actions.ts';
import { copyText } from '../state/copy-text.ts';
import { useApp, useServices, useWindow } from '../state/services.ts';
import styles from './shell.module.css';

const css = classNames.bind(styles);

const words: Readonly<Record<Exclude<ProxyState['kind'], 'failed'>, Message>> = {
  on: msg('Proxy on'),
  off: msg('Proxy off'),
  starting: msg('Starting…'),
  stopping: msg('Stopping…'),
};

/** The words show what is; the switch shows at once what was chosen. */
export function ProxyCard() {
  const { proxy } = useApp();
  const isLost = useWindow(({ connection }) => connection.kind === 'lost');
  const { store } = useServices();
  const { setProxy } = useActions();
  const [asked, setAsked] = useState<boolean | null>(null);
  const fact = proxy.kind === 'on' || proxy.kind === 'starting';
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new fact ends what was asked for.
  useEffect(() => setAsked(null), [proxy.kind]);
  if (isLost) {
    return (
      <section className={css('proxy-card')} data-testid="proxy-card" aria-label={t('Proxy')}>
        <span className={css('proxy-words')}>{t('Connection lost')}</span>
      </section>
    );
  }
  const address = proxy.kind === 'on' ? proxy.baseUrl.replace(/^https?:\/\//, '') : null;
  // Without it what is below would move where the proxy is switched.
  const where = 'port' in proxy && proxy.port !== 0 ? t('port {port}', { port: proxy.port }) : t('no address');
  return (
    <section className={css('proxy-card')} data-testid="proxy-card" aria-label={t('Proxy')}>
      <div className={css('proxy-top')}>
        <span className={css('proxy-words', { bad: proxy.kind === 'failed' && !isServedElsewhere(proxy) })}>
          {proxy.kind === 'failed' ? failedProxyWords(proxy) : translated(words[proxy.kind])}
        </span>
        {setProxy !== null && !(proxy.kind === 'failed' && proxy.code === 'policy') && (
          <Switch
            label={t('Proxy')}
            on={asked ?? fact}
            change={(on) => {
              setAsked(on);
              void setProxy(on).finally(() => setAsked(null));
            }}
          />
        )}
      </div>
      <div className={css('proxy-address', 'muted')}>
        <span className="mono">{address ?? where}</span>
        {address !== null && (
          <IconButton
            size="small"
            label={t('Copy proxy address')}
            icon={<Copy size={14} />}
            onClick={() => void copyText(store, `http://${address}`)}
          />
        )}
      </div>
    </section>
  );
}
