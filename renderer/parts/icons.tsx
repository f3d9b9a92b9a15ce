export {
  AlertIcon as Warning,
  ArrowDownIcon as ArrowDown,
  ArrowLeftIcon as ArrowLeft,
  ArrowSwitchIcon as Swap,
  BookmarkIcon as Template,
  CheckCircleIcon as Passed,
  CheckIcon as Check,
  ChecklistIcon as Checklist,
  ChevronDownIcon as ChevronDown,
  ChevronLeftIcon as ChevronLeft,
  ChevronRightIcon as ChevronRight,
  ChevronUpIcon as ChevronUp,
  CircleIcon as Circle,
  ClockIcon as Clock,
  CommandPaletteIcon as Commands,
  CommentIcon as Comment,
  CopyIcon as Copy,
  DependabotIcon as Agent,
  DiffIcon as Diff,
  DotFillIcon as DotFill,
  FileAddedIcon as FileAdded,
  FileDirectoryIcon as Folder,
  FileIcon as File,
  GlobeIcon as Globe,
  GraphIcon as Chart,
  HistoryIcon as GoBack,
  ImageIcon as Image,
  InfoIcon as Info,
  KebabHorizontalIcon as More,
  KeyIcon as Key,
  LightBulbIcon as LightBulb,
  LinkExternalIcon as External,
  ListUnorderedIcon as List,
  LockIcon as Lock,
  McpIcon as Mcp,
  PaperclipIcon as Paperclip,
  PauseIcon as Pause,
  PencilIcon as Pencil,
  PersonIcon as Person,
  PinIcon as Pin,
  PlayIcon as Play,
  PlusIcon as Plus,
  PulseIcon as Pulse,
  QuestionIcon as Question,
  ReplyIcon as Reply,
  RepoForkedIcon as Fork,
  SearchIcon as Search,
  ShieldIcon as Shield,
  ShieldSlashIcon as ShieldSlash,
  SidebarExpandIcon as SidebarExpand,
  SkipIcon as Skipped,
  SlidersIcon as Sliders,
  SquareFillIcon as Stop,
  SyncIcon as Sync,
  TasklistIcon as Tasklist,
  TerminalIcon as Terminal,
  ToolsIcon as Tools,
  TrashIcon as Trash,
  UndoIcon as Undo,
  UploadIcon as Export,
  WorkflowIcon as Tree,
  XCircleIcon as Failed,
  XIcon as Close,
  ZapIcon as Zap,
} from '@primer/octicons-react';

export type IconProps = { size?: number };

const branchPath =
  'M3.75 2a.75.75 0 0 1 .75.75v4.5c0 .97.78 1.75 1.75 1.75h4.44L8.97 7.28a.75.75 0 0 1 1.06-1.06l3 3' +
  'a.75.75 0 0 1 0 1.06l-3 3a.75.75 0 1 1-1.06-1.06l1.72-1.72H6.25A3.25 3.25 0 0 1 3 7.25v-4.5' +
  'A.75.75 0 0 1 3.75 2Z';

/** The branch that a subagent is. */
export function Branch({ size = 16 }: IconProps) {
  return (
    <svg aria-hidden="true" className="octicon" width={size} height={size} viewBox="0 0 16 16" fill="currentColor">
      <path d={branchPath} />
    </svg>
  );
}

/** A red ring while something is recorded. */
export function RecordRing({ size = 12 }: IconProps) {
  return (
    <svg aria-hidden="true" className="record-ring" width={size} height={size} viewBox="0 0 16 16" fill="none">
      <circle cx="8" cy="8" r="6" stroke="currentColor" strokeWidth="2.5" />
    </svg>
  );
}

/** Turns while something runs; a still three-quarter circle with reduced motion. */
export function Ring({ size = 12 }: IconProps) {
  return (
    <svg aria-hidden="true" className="ring" width={size} height={size} viewBox="0 0 16 16" fill="none">
      <path d="M8 2a6 6 0 1 1-6 6" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
