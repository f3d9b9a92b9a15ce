import classNames from 'classnames/bind';
import { useEffect, useRef, useState } from 'react';
import type { DeviceCode } from '../../app/api/account.ts';
import { t } from '../../app/language/translate.ts';
import { countdown } from '../../app/words/times.ts';
import { Button, LinkButton } from '../parts/button.tsx';
import { Check, Copy, External, Ring } from '../parts/icons.tsx';
import { useSecond } from '../parts/now.ts';
import { rich } from '../parts/rich.tsx';
import { announce } from '../state/notices.ts';
import { useServices } from '../state/services.ts';
import styles from './sign-in.module.css';

const css = classNames.bind(styles);

const copiedMs = 2000;

/** A code that waits to be entered on GitHub. */
export function CodeField({ code }: { code: DeviceCode }) {
  const { bridge, signIn } = useServices();
  const [copied, setCopied] = useState<'code' | 'both' | null>(null);
  const field = useRef<HTMLOutputElement>(null);

  useEffect(() => {
    if (copied === null) return;
    const timer = setTimeout(() => setCopied(null), copiedMs);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async (): Promise<boolean> => {
    const done = await navigator.clipboard.writeText(code.userCode).then(
      () => true,
      () => false,
    );
    // Where the browser refuses, the code is selected and Ctrl+C does it.
    if (!done && field.current !== null) window.getSelection()?.selectAllChildren(field.current);
    return done;
  };
  const copyAndOpen = async (): Promise<void> => {
    if (bridge.copyCode !== null) {
      await bridge.copyCode(null);
      setCopied('both');
      return;
    }
    window.open(code.verificationUri, '_blank', 'noopener');
    if (await copy()) setCopied('both');
  };

  return (
    <>
      <output
        ref={field}
        className={css('device-code')}
        data-testid="device-code"
        aria-label={t('Code: {code}', { code: [...code.userCode].join(' ') })}
      >
        {code.userCode}
      </output>
      <div className="buttons">
        <Button
          size="large"
          look="primary"
          icon={copied === 'both' ? <Check size={16} /> : <External size={16} />}
          onClick={() => void copyAndOpen()}
        >
          {copied === 'both' ? t('Copied') : t('Copy code and open GitHub')}
        </Button>
        <Button
          size="large"
          icon={copied === 'code' ? <Check size={16} /> : <Copy size={16} />}
          onClick={() => void copy().then((done) => done && setCopied('code'))}
        >
          {copied === 'code' ? t('Copied') : t('Copy code')}
        </Button>
      </div>
      <p className="small muted">
        {rich('Opens <code>{address}</code>. Only enter a code that you asked for yourself.', {
          address: code.verificationUri.replace(/^https?:\/\//, ''),
          code: (inside) => <code>{inside}</code>,
        })}
      </p>
      <div className={css('sign-in-foot', 'in-row')}>
        <span className="muted">
          <Ring size={14} /> {t('Waiting for GitHub')}
        </span>
        <Expiry at={code.expiresAt} />
        <LinkButton alone onClick={signIn.cancel}>
          {t('Cancel')}
        </LinkButton>
      </div>
    </>
  );
}

/** Counts down in sight; said aloud only when little is left. */
function Expiry({ at }: { at: number }) {
  const { store } = useServices();
  // The common second may have begun before this code did.
  const [shownAt] = useState(() => Date.now());
  const left = Math.max(0, at - Math.max(useSecond(), shownAt));
  const said = left <= 30_000 ? t('30 seconds') : left <= 120_000 ? t('2 minutes') : null;
  useEffect(() => {
    if (said !== null && at > Date.now()) announce(store, t('The code expires in {said}.', { said }));
  }, [said, at, store]);
  return <span className="muted figures">{t('Expires in {left}', { left: countdown(left) })}</span>;
}
