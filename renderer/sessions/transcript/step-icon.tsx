import {
  Branch,
  Checklist,
  Clock,
  Commands,
  Failed,
  File,
  FileAdded,
  Globe,
  type IconProps,
  Mcp,
  Pencil,
  Question,
  Ring,
  Search,
  Skipped,
  Tasklist,
  Terminal,
  Tools,
} from '../../parts/icons.tsx';
import type { StepKind, StepState } from '../state/conversation.ts';

const byState: Partial<Record<StepState, (props: IconProps) => React.ReactNode>> = {
  running: Ring,
  waiting: Question,
  failed: Failed,
  denied: Skipped,
  cut: Skipped,
  background: Clock,
};

const byKind: Record<StepKind, (props: IconProps) => React.ReactNode> = {
  shell: Terminal,
  read: File,
  search: Search,
  write: FileAdded,
  edit: Pencil,
  notebook: Pencil,
  web: Globe,
  mcp: Mcp,
  'client-tool': Tools,
  tasks: Tasklist,
  skill: Commands,
  subagent: Branch,
  question: Question,
  plan: Checklist,
  other: Tools,
};

export function StepIcon({ kind, state }: { kind: StepKind; state: StepState }) {
  const Icon = byState[state] ?? byKind[kind];
  return <Icon size={Icon === Ring ? 12 : 16} />;
}

/** The class of a step's line. */
export function lookOf(state: StepState): string {
  return state === 'waiting' ? 'waits' : state;
}
