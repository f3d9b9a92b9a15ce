import { useStore } from 'zustand';
import type { Check } from '../../app/api/state.ts';
import { counted } from '../../app/words/numbers.ts';
import type { Flag } from '../parts/flag.ts';
import { useServices } from '../state/services.ts';

/** What stands beside Health in the sidebar: failures, or else warnings. */
export function flagOf(checks: readonly Check[] | null): Flag | null {
  const count = (verdict: Check['verdict']): number => checks?.filter((check) => check.verdict === verdict).length ?? 0;
  const failures = count('failed');
  if (failures > 0) return { kind: 'failure', count: failures, text: counted(failures, 'failure') };
  const warnings = count('warning');
  return warnings > 0 ? { kind: 'warning', count: warnings, text: counted(warnings, 'warning') } : null;
}

export function useHealthFlag(): Flag | null {
  const { health } = useServices();
  return flagOf(useStore(health.store, ({ checks }) => checks));
}
