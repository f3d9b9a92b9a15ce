import type { ComponentType } from 'react';
import { ModelsView } from '../models/view.tsx';
import { Chart, type IconProps, List, Pulse, Sliders, Swap } from '../parts/icons.tsx';
import { RequestsView } from '../requests/view.tsx';
import type { Place } from '../state/routes.ts';
import { UsageView } from '../usage/view.tsx';
import { coming } from './coming.tsx';

/** A number beside a place in the sidebar: something there wants to be looked at. */
export interface Flag {
  kind: 'warning' | 'failure';
  count: number;
  /** `2 warnings` */
  text: string;
}

export interface PlaceEntry {
  place: Place;
  title: string;
  icon: ComponentType<IconProps>;
  /** Ctrl or Cmd and this key. */
  key: string;
  view: ComponentType;
  /** A hook; only Health has something to say. */
  useFlag: () => Flag | null;
}

const noFlag = (): null => null;

/** The sidebar, from top to bottom. A view is added here and nowhere else. */
export const navigation: readonly PlaceEntry[] = [
  { place: 'requests', title: 'Requests', icon: List, key: '1', view: RequestsView, useFlag: noFlag },
  { place: 'usage', title: 'Usage', icon: Chart, key: '2', view: UsageView, useFlag: noFlag },
  { place: 'models', title: 'Models', icon: Swap, key: '3', view: ModelsView, useFlag: noFlag },
  { place: 'health', title: 'Health', icon: Pulse, key: '4', view: coming('Health'), useFlag: noFlag },
  { place: 'settings', title: 'Settings', icon: Sliders, key: ',', view: coming('Settings'), useFlag: noFlag },
];

/** Outside the sidebar. `frameless`: without it. */
export const otherPlaces: readonly { place: Place; title: string; view: ComponentType; frameless: boolean }[] = [
  { place: 'sign-in', title: 'Sign in', view: coming('Sign in'), frameless: false },
  { place: 'welcome', title: 'Welcome', view: coming('Welcome'), frameless: true },
];
