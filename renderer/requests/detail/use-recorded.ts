import { useEffect, useState } from 'react';
import type { Exchange } from '../../../app/api/exchange.ts';
import type { BodyView, Recorded, RecordedBody } from '../../../app/api/recording.ts';
import { useSecond } from '../../parts/now.ts';
import { useApp, useServices } from '../../state/services.ts';

/**
 * What is held of one request; null while it is asked for. Asked again when it has ended, and when bodies are let go
 * of.
 */
export function useRecorded({ id, outcome }: Exchange): Recorded | null {
  const { bridge } = useServices();
  const { on, exchanges } = useApp().recording;
  const [known, setKnown] = useState<{ id: string; recorded: Recorded } | null>(null);
  const beat = useBeat(outcome);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them says that something may be different now.
  useEffect(() => {
    let left = false;
    bridge.recorded(id).then(
      (recorded) => left || setKnown({ id, recorded }),
      () => left || setKnown({ id, recorded: { headers: null, bodies: 'none', views: [] } }),
    );
    return () => {
      left = true;
    };
  }, [bridge, id, outcome, on, exchanges, beat]);
  return known?.id === id ? known.recorded : null;
}

export type AskedBody =
  | { kind: 'asking' }
  | { kind: 'there'; body: RecordedBody }
  | { kind: 'none' }
  | { kind: 'failed'; text: string };

/** One view of what was said. While the request runs it is asked for again every second. */
export function useBody({ id, outcome }: Exchange, view: BodyView, whole: boolean): AskedBody {
  const { bridge } = useServices();
  const [known, setKnown] = useState<{ key: string; asked: AskedBody } | null>(null);
  const beat = useBeat(outcome);
  const key = `${id} ${view} ${whole}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them says that something may be different now.
  useEffect(() => {
    let left = false;
    const tell = (asked: AskedBody): void => {
      if (!left) setKnown({ key, asked });
    };
    bridge.recordedBody(id, view, { whole }).then(
      (body) => tell(body === null ? { kind: 'none' } : { kind: 'there', body }),
      (error: unknown) => tell({ kind: 'failed', text: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      left = true;
    };
  }, [bridge, key, outcome, beat]);
  return known?.key === key ? known.asked : { kind: 'asking' };
}

/** Counts up every second while it runs. */
function useBeat(outcome: Exchange['outcome']): number {
  const running = outcome === 'running';
  const second = useSecond(running);
  return running ? second : 0;
}
