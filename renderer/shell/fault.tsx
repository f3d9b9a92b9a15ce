import { Component, type ReactNode } from 'react';
import { t } from '../../app/language/translate.ts';
import { Button } from '../parts/button.tsx';
import { Failed } from '../parts/icons.tsx';
import { Empty } from '../parts/view-frame.tsx';
import { copyText } from '../state/copy-text.ts';
import type { WindowStore } from '../state/window-state.ts';

interface FaultProps {
  store: WindowStore;
  /** What failed, in a word: the place. */
  where: string;
  /** The address shown. Another one is tried anew. */
  address: string;
  children: ReactNode;
}

/**
 * In the place of a view that has a fault of ours: what happened, and a report to send. The rest of the window goes on.
 */
export class FaultBoundary extends Component<FaultProps, { fault: Error | null }> {
  override state: { fault: Error | null } = { fault: null };

  static getDerivedStateFromError(thrown: unknown): { fault: Error } {
    return { fault: thrown instanceof Error ? thrown : new Error(String(thrown)) };
  }

  override componentDidUpdate({ address }: FaultProps): void {
    if (this.state.fault !== null && address !== this.props.address) this.setState({ fault: null });
  }

  override render(): ReactNode {
    const { fault } = this.state;
    const { store, where, children } = this.props;
    if (fault === null) return children;
    return (
      <Empty
        icon={<Failed size={24} />}
        title={t('Something failed in Jumpseat.')}
        actions={
          <>
            <Button look="primary" size="large" onClick={() => this.setState({ fault: null })}>
              {t('Show it again')}
            </Button>
            <Button
              size="large"
              onClick={() => void copyText(store, faultReport(fault, where, store), t('Copied for a bug report'))}
            >
              {t('Copy for a bug report')}
            </Button>
          </>
        }
      >
        {fault.message}
      </Empty>
    );
  }
}

/** Report with our version, the place and lines of our own code; nothing that was said, and no names. */
function faultReport(fault: Error, where: string, store: WindowStore): string {
  const version = store.getState().app?.version ?? 'unknown';
  const lines = fault.stack?.split('\n').filter((line) => line.trim().startsWith('at ')) ?? [];
  return [
    `Jumpseat ${version}, ${where}`,
    navigator.userAgent,
    '',
    `${fault.name}: ${fault.message}`,
    ...lines,
    '',
  ].join('\n');
}
