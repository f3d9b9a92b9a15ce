import { type ComponentType, lazy } from 'react';
import { useStore } from 'zustand';
import type { Check } from '../../app/api/state.ts';
import { type Message, msg } from '../../app/language/messages.ts';
import { t } from '../../app/language/translate.ts';
import { FirstRunView } from '../first-run/view.tsx';
import { HealthView } from '../health/view.tsx';
import { ModelsView } from '../models/view.tsx';
import { Chart, type IconProps, List, Pulse, Sliders, Swap, Tree } from '../parts/icons.tsx';
import { RequestsView } from '../requests/view.tsx';
import { SettingsView } from '../settings/view.tsx';
import { SignIn } from '../sign-in/sign-in.tsx';
import { SignInView } from '../sign-in/view.tsx';
import { waitingSessions } from '../state/held-sessions.ts';
import type { Place } from '../state/routes.ts';
import { useServices, useWindow } from '../state/services.ts';
import { UsageView } from '../usage/view.tsx';

export interface PlaceEntry {
  place: Place;
  title: Message;
  icon: ComponentType<IconProps>;
  /** Ctrl or Cmd and this key. */
  key: string;
  view: ComponentType;
  /** A hook; only Health and Sessions have something to say. */
  useFlag: () => Flag | null;
}

const noFlag = (): null => null;

/** Loaded when it is opened: it is larger than all the others together. */
const SessionsView = lazy(() => import('../sessions/view.tsx'));

/** The sidebar, from top to bottom. A view is added here and nowhere else. */
export const navigation: readonly PlaceEntry[] = [
  { place: 'requests', title: msg('Requests'), icon: List, key: '1', view: RequestsView, useFlag: noFlag },
  { place: 'sessions', title: msg('Sessions'), icon: Tree, key: '2', view: SessionsView, useFlag: useWaitingFlag },
  { place: 'usage', title: msg('Usage'), icon: Chart, key: '3', view: UsageView, useFlag: noFlag },
  { place: 'models', title: msg('Models'), icon: Swap, key: '4', view: ModelsView, useFlag: noFlag },
  { place: 'health', title: msg('Health'), icon: Pulse, key: '5', view: HealthView, useFlag: useHealthFlag },
  { place: 'settings', title: msg('Settings'), icon: Sliders, key: ',', view: SettingsView, useFlag: noFlag },
];

function Welcome() {
  return <FirstRunView SignIn={SignIn} />;
}

/** Outside the sidebar. `frameless`: without it. */
export const otherPlaces: readonly { place: Place; title: Message; view: ComponentType; frameless: boolean }[] = [
  { place: 'sign-in', title: msg('Sign in'), view: SignInView, frameless: false },
  { place: 'welcome', title: msg('Welcome'), view: Welcome, frameless: true },
];

/** A number beside a place in the sidebar: something there wants to be looked at. */
export interface Flag {
  kind: 'warning' | 'failure' | 'question';
  count: number;
  /** `2 warnings` */
  text: string;
}

/** Flag beside Health in the sidebar: failures, otherwise warnings. */
export function flagOf(checks: readonly Check[] | null): Flag | null {
  const count = (verdict: Check['verdict']): number => checks?.filter((check) => check.verdict === verdict).length ?? 0;
  const failures = count('failed');
  if (failures > 0)
    return {
      kind: 'failure',
      count: failures,
      text: t('{count, plural, one {# failure} other {# failures}}', { count: failures }),
    };
  const warnings = count('warning');
  return warnings > 0
    ? {
        kind: 'warning',
        count: warnings,
        text: t('{count, plural, one {# warning} other {# warnings}}', { count: warnings }),
      }
    : null;
}

function useHealthFlag(): Flag | null {
  const { health } = useServices();
  return flagOf(useStore(health.store, ({ checks }) => checks));
}

/** How many sessions wait for the person; known without the code of their view. */
function useWaitingFlag(): Flag | null {
  const count = useWindow(({ sessions }) => waitingSessions(sessions));
  if (count === 0) return null;
  return {
    kind: 'question',
    count,
    text: t('{count, plural, one {# waits for you} other {# wait for you}}', { count }),
  };
}
