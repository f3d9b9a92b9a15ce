import { type ComponentType, lazy } from 'react';
import { FirstRunView } from '../first-run/view.tsx';
import { useHealthFlag } from '../health/flag.ts';
import { HealthView } from '../health/view.tsx';
import { ModelsView } from '../models/view.tsx';
import type { Flag } from '../parts/flag.ts';
import { Chart, type IconProps, List, Pulse, Sliders, Swap, Tree } from '../parts/icons.tsx';
import { RequestsView } from '../requests/view.tsx';
import { SettingsView } from '../settings/view.tsx';
import { SignIn } from '../sign-in/sign-in.tsx';
import { SignInView } from '../sign-in/view.tsx';
import type { Place } from '../state/routes.ts';
import { UsageView } from '../usage/view.tsx';
import { useWaitingFlag } from './waiting-flag.ts';

export interface PlaceEntry {
  place: Place;
  title: string;
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
  { place: 'requests', title: 'Requests', icon: List, key: '1', view: RequestsView, useFlag: noFlag },
  { place: 'sessions', title: 'Sessions', icon: Tree, key: '2', view: SessionsView, useFlag: useWaitingFlag },
  { place: 'usage', title: 'Usage', icon: Chart, key: '3', view: UsageView, useFlag: noFlag },
  { place: 'models', title: 'Models', icon: Swap, key: '4', view: ModelsView, useFlag: noFlag },
  { place: 'health', title: 'Health', icon: Pulse, key: '5', view: HealthView, useFlag: useHealthFlag },
  { place: 'settings', title: 'Settings', icon: Sliders, key: ',', view: SettingsView, useFlag: noFlag },
];

function Welcome() {
  return <FirstRunView SignIn={SignIn} />;
}

/** Outside the sidebar. `frameless`: without it. */
export const otherPlaces: readonly { place: Place; title: string; view: ComponentType; frameless: boolean }[] = [
  { place: 'sign-in', title: 'Sign in', view: SignInView, frameless: false },
  { place: 'welcome', title: 'Welcome', view: Welcome, frameless: true },
];
