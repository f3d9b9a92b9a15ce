import { z } from 'zod';
import { type Message, msg } from '../language/messages.ts';
import { reachSchema, waySchema } from './account.ts';
import { ports } from './names.ts';
import { limitRuleSchema, modelRuleSchema } from './rules.ts';
import { engineNameSchema } from './search.ts';
import { shellSchema } from './setup.ts';

/**
 * What a person can set: one row for each. Made from it: the types and the shapes of calls (settings.ts), the schema of
 * settings.json with its defaults (app/settings/schema.ts), the fields of the window (setting-fields.ts), the tables of
 * docs/settings.md and docs/settings.schema.json (scripts/settings-reference.mjs).
 */
export interface SettingRow<Shape extends z.ZodType = z.ZodType> {
  /** Allowed values, with their bounds. */
  shape: Shape;
  default: z.output<Shape>;
  /** One sentence, below its field in the window and in the docs. A field whose sentence depends says its own. */
  help: string;
  /** More sentences, for the docs alone. */
  more?: string;
  /** The unit of a number. */
  unit?: SettingUnit;
  /** The section of Settings with its field, and the field's label. */
  section?: SettingSection;
  label?: string;
  /** The labels of its choices. */
  choices?: Readonly<Record<Extract<z.output<Shape>, string>, Message>>;
  /** Numbers that can be chosen there instead of typed. */
  offered?: readonly number[];
  /** The label of such a number; # is the number with its unit. */
  each?: Message;
  /** The label for null. */
  empty?: Message;
  /** The variable that counts more than the file. */
  environment?: string;
  /** When a change counts, where that isn't at once. */
  takesEffect?: string;
}

export type SettingUnit = 'credit' | 'day' | 'MB' | 'minute' | 'percent' | 'turn';

/** The sections of Settings, as they are called. */
export const settingSections = {
  general: msg('General'),
  proxy: msg('Proxy'),
  network: msg('Network'),
  limits: msg('Limits'),
  rules: msg('Rules'),
  clients: msg('Clients'),
  'claude-code': msg('Claude Code'),
  sessions: msg('Sessions'),
  'web-search': msg('Web search'),
  privacy: msg('Privacy'),
  notifications: msg('Notifications'),
  account: msg('Account'),
  about: msg('About'),
} as const;
export type SettingSection = keyof typeof settingSections;

/** What the window shows of a row is a message; the docs are in English. */
type FieldWords = { section: SettingSection; label: Message; help: Message | '' } | { section?: undefined };

/** Holds a row to its own shape. */
function row<Shape extends z.ZodType>(given: SettingRow<Shape> & FieldWords): SettingRow<Shape> {
  return given;
}

const mostAtAll = 1_000_000;
const tenYearsInDays = 3_650;
const weekInMinutes = 10_080;
const credits = z.number().positive().max(mostAtAll).nullable();
const share = z.number().int().min(1).max(99);
/** A value that goes out in a header: visible ASCII. */
const headerValue = z.string().regex(/^[\x21-\x7e]{1,100}$/);

/** `system`, or the path of a file. */
const soundSchema = z.string().min(1).max(4_096).nullable();

/** Settings that the window changes. */
export const windowSettings = {
  port: row({
    shape: z.number().int().min(ports.least).max(ports.most).nullable(),
    default: null,
    section: 'proxy',
    label: msg('Port'),
    help: msg('The port of the proxy on 127.0.0.1; null: 4180.'),
    environment: 'JUMPSEAT_PORT',
    takesEffect: 'when the proxy starts',
  }),
  githubHost: row({
    // Which hosts there are is checked where it is saved (app/settings/github-addresses.ts).
    shape: z.string().max(100).nullable(),
    default: null,
    section: 'account',
    label: msg('GitHub host'),
    help: msg('Your company’s own, such as `octo.ghe.com`; null: github.com. Changing it signs you out.'),
    environment: 'JUMPSEAT_GITHUB_URL',
  }),
  reach: row({
    shape: reachSchema,
    default: 'directly',
    section: 'account',
    label: msg('Reach Copilot'),
    help: msg('Whether requests go to Copilot from Jumpseat, or from its extension in VS Code.'),
    more: 'See [ways in](ways-in.md). Nothing changes it by itself.',
    choices: { directly: msg('Directly'), 'through-vscode': msg('Through VS Code') },
  }),
  githubClientId: row({
    shape: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,64}$/)
      .nullable(),
    default: null,
    help: 'The client id of your own OAuth app, for a sign-in on the way `copilot-sdk`.',
  }),
  historyDays: row({
    shape: z.number().int().min(1).max(tenYearsInDays).nullable(),
    default: 90,
    unit: 'day',
    section: 'privacy',
    label: msg('Save request history'),
    help: msg('Times, sizes, counts and charges. No content.'),
    more: 'After a pause of that length, a day longer; null: for ever.',
    offered: [7, 30, 90, 365],
    empty: msg('For ever'),
  }),
  bodies: {
    megabytes: row({
      shape: z.number().int().min(1).max(64),
      default: 64,
      unit: 'MB',
      section: 'privacy',
      label: msg('Memory for recorded bodies'),
      help: msg('How much of recorded bodies is held in memory.'),
      offered: [8, 16, 32, 64],
    }),
    minutes: row({
      shape: z.number().int().min(1).max(weekInMinutes).nullable(),
      default: null,
      unit: 'minute',
      section: 'privacy',
      label: msg('Keep recorded bodies for'),
      help: msg('The oldest go first, whichever limit is reached.'),
      more: 'Null: until Jumpseat ends. Recording itself is switched on in the window, and is off at every start.',
      offered: [15, 60, 240],
      empty: msg('Until you quit'),
    }),
  },
  proxyOnAtStart: row({
    shape: z.boolean(),
    default: true,
    section: 'proxy',
    label: msg('Start the proxy with Jumpseat'),
    help: msg('Turning the proxy on or off changes this, too.'),
    takesEffect: 'at the next start',
  }),
  proxy: {
    socket: row({
      shape: z.boolean(),
      default: false,
      section: 'proxy',
      label: msg('Unix socket'),
      help: msg('For containers and SSH. Only your user can open it, and nothing listens on the network for it.'),
      more: 'See [containers, WSL and SSH](places.md).',
    }),
    socketPath: row({
      // Whether it can be used is checked where it is made (app/server/socket-file.ts).
      shape: z.string().min(1).max(300).nullable(),
      default: null,
      section: 'proxy',
      label: msg('Path of the socket'),
      help: msg('Only your user may be able to enter its folder (mode 0700).'),
      more: 'Null: `socket/jumpseat.sock` in Jumpseat’s folder.',
      empty: msg('In Jumpseat’s folder'),
    }),
    address: row({
      // Which addresses there are is checked where it is saved (app/settings/network-settings.ts).
      shape: z.string().max(45).nullable(),
      default: null,
      section: 'proxy',
      label: msg('Another address'),
      help: msg('One more IP address of this machine, for containers and WSL. You are asked before it is opened.'),
      more:
        'Not `0.0.0.0`. It opens only if you agreed, in the window or with `jumpseat serve --address`. ' +
        'See [containers, WSL and SSH](places.md#another-address).',
      empty: msg('None'),
    }),
  },
  trayIcon: row({
    shape: z.enum(['automatic', 'light', 'dark']),
    default: 'automatic',
    section: 'general',
    label: msg('Tray icon'),
    help: msg('Choose what is readable on your panel.'),
    more: 'Only on Linux. `light` is a light icon for a dark panel.',
    choices: { automatic: msg('Automatic'), light: msg('Light'), dark: msg('Dark') },
  }),
  trayFigure: row({
    shape: z.enum(['none', 'left', 'today']),
    default: 'none',
    section: 'general',
    label: msg('Figure in the tray'),
    help: msg('In its menu and tooltip: what is left, or what today has cost.'),
    more: 'On macOS also beside the icon.',
    choices: { none: msg('None'), left: msg('Remaining'), today: msg('Today') },
  }),
  theme: row({
    shape: z.enum(['system', 'light', 'dark']),
    default: 'system',
    section: 'general',
    label: msg('Appearance'),
    help: msg('Follows the system unless you choose.'),
    choices: { system: msg('System'), light: msg('Light'), dark: msg('Dark') },
  }),
  language: row({
    shape: z.enum(['system', 'en', 'de', 'ja', 'zh-CN']),
    default: 'system',
    section: 'general',
    label: msg('Language'),
    help: msg(
      'The language of the window, the tray menu, notifications, dialogs and commands. Errors to clients, logs and JSON are in English.',
    ),
    more: '`JUMPSEAT_LANG` counts more in the terminal. See [languages](languages.md#in-the-terminal).',
    choices: {
      system: msg('System'),
      en: msg('English'),
      de: msg('Deutsch'),
      ja: msg('日本語'),
      'zh-CN': msg('简体中文'),
    },
  }),
  timeZone: row({
    shape: z.enum(['local', 'utc']),
    default: 'local',
    section: 'general',
    label: msg('Time zone'),
    help: msg('Used wherever times are shown.'),
    choices: { local: msg('Local time'), utc: msg('UTC') },
  }),
  closing: row({
    shape: z.enum(['keep-running', 'quit']),
    default: 'keep-running',
    section: 'general',
    label: msg('Closing the window'),
    help: msg('Whether Jumpseat keeps running in the tray or quits when its window is closed.'),
    choices: { 'keep-running': msg('Keep running'), quit: msg('Quit') },
  }),
  shell: row({
    shape: shellSchema.nullable(),
    default: null,
    section: 'claude-code',
    label: msg('Lines for the shell'),
    help: msg('For a setup without settings.json. They hold your local key.'),
    more: 'How they are copied; null: for your own shell.',
    choices: {
      bash: msg('bash'),
      zsh: msg('zsh'),
      fish: msg('fish'),
      powershell: msg('PowerShell'),
      cmd: msg('Command Prompt'),
      json: msg('settings.json'),
    },
  }),
  notifications: {
    quota: row({
      shape: z.boolean(),
      default: true,
      section: 'notifications',
      label: msg('Quota and limits'),
      help: msg('Once for each threshold and cycle.'),
    }),
    trouble: row({
      shape: z.boolean(),
      default: true,
      section: 'notifications',
      label: msg('Sign-in needed, proxy stopped, no connection'),
      help: '',
    }),
    updates: row({
      shape: z.boolean(),
      default: true,
      section: 'notifications',
      label: msg('Updates'),
      help: '',
      more: 'Says when there is a new version.',
    }),
    sessionWaits: row({
      shape: z.boolean(),
      default: true,
      section: 'notifications',
      label: msg('A session waits'),
      help: '',
      more: 'Says so when it has waited 10 s for your answer.',
    }),
    sessionDone: row({
      shape: z.boolean(),
      default: true,
      section: 'notifications',
      label: msg('A session is done'),
      help: '',
      more: 'Says so when it took 30 s or more.',
    }),
    sessionFailed: row({
      shape: z.boolean(),
      default: true,
      section: 'notifications',
      label: msg('A session failed'),
      help: '',
    }),
    answers: row({
      shape: z.boolean(),
      default: false,
      section: 'notifications',
      label: msg('Answer short commands in notifications'),
      help: msg('Shows a command of up to 60 letters there, where others may see it, with Allow once and Deny.'),
      more: 'Only [a plain line without a warning](tray.md#notifications); all else is answered in the window. On Linux the desktop’s notifications need buttons.',
    }),
    soundWaits: row({
      shape: soundSchema,
      default: null,
      section: 'notifications',
      label: msg('Sound when a session waits'),
      help: msg('Played by the tray app, and only while no window of Jumpseat is in front.'),
      more: 'It comes with and without the notification. The value null means no sound, and `system` a sound of the desktop. Any other value is the path of a file. The file has up to 10 MB, and its first 20 s are played.',
      choices: { system: msg('System sound') },
      empty: msg('Off'),
    }),
    soundDone: row({
      shape: soundSchema,
      default: null,
      section: 'notifications',
      label: msg('Sound when a session is done'),
      help: '',
      more: 'As `notifications.soundWaits`.',
      choices: { system: msg('System sound') },
      empty: msg('Off'),
    }),
    soundFailed: row({
      shape: soundSchema,
      default: null,
      section: 'notifications',
      label: msg('Sound when a session failed'),
      help: '',
      more: 'As `notifications.soundWaits`.',
      choices: { system: msg('System sound') },
      empty: msg('Off'),
    }),
  },
  /** `alarm` is more than `warning` (app/settings/schema.ts). */
  quotaThresholds: {
    warning: row({
      shape: share,
      default: 80,
      unit: 'percent',
      section: 'notifications',
      label: msg('Low from, percent used'),
      help: msg('Jumpseat warns that the quota is low when this share is used.'),
    }),
    alarm: row({
      shape: share,
      default: 95,
      unit: 'percent',
      section: 'notifications',
      label: msg('Nearly gone from, percent used'),
      help: msg(
        'Jumpseat warns that the quota is nearly used up when this share is used. It must be above the first share.',
      ),
    }),
  },
  openai: {
    atOnce: row({
      shape: z.number().int().min(1).max(100),
      default: 8,
      section: 'clients',
      label: msg('Requests at once'),
      help: msg('For each client. 32 more requests are queued; further requests get error 429.'),
    }),
    streamByDefault: row({
      shape: z.boolean(),
      default: false,
      section: 'clients',
      label: msg('Stream by default'),
      help: msg('For old programs that expect a stream without asking for it.'),
    }),
    historyTurns: row({
      shape: z.number().int().min(1).max(10_000).nullable(),
      default: null,
      unit: 'turn',
      section: 'clients',
      label: msg('Messages to send'),
      help: msg('In Chat Completions. The last system message is always sent. The log says what was left out.'),
      offered: [1, 3, 5, 10, 20, 50],
      each: msg('The last #'),
      empty: msg('All turns'),
    }),
  },
  limits: {
    requestsPerMinute: row({
      shape: z.number().int().min(1).max(mostAtAll).nullable(),
      default: null,
      section: 'limits',
      label: msg('Most requests per minute'),
      help: msg('Further requests get error 429 until the minute is over.'),
      empty: msg('No limit'),
    }),
    creditsPerDay: row({
      shape: credits,
      default: null,
      unit: 'credit',
      section: 'limits',
      label: msg('Most credits per day'),
      help: msg('Counted from what Copilot reported since midnight. Then error 429 until the day is over.'),
      empty: msg('No limit'),
    }),
    premiumRequestsPerDay: row({
      shape: credits,
      default: null,
      section: 'limits',
      label: msg('Most premium requests per day'),
      help: msg('Estimated by Jumpseat since midnight. Then error 429 until the day is over.'),
      more: 'For accounts that are billed in premium requests.',
      empty: msg('No limit'),
    }),
    creditsPerMonth: row({
      shape: credits,
      default: null,
      unit: 'credit',
      section: 'limits',
      label: msg('Credits per month'),
      help: msg('Your monthly limit, counted from what Copilot reported since GitHub’s cycle began.'),
      more: 'Where GitHub names no reset, since the first of the month.',
      empty: msg('No limit'),
    }),
    premiumRequestsPerMonth: row({
      shape: credits,
      default: null,
      section: 'limits',
      label: msg('Premium requests per month'),
      help: msg('Your monthly limit, estimated by Jumpseat since GitHub’s cycle began.'),
      more: 'For accounts that are billed in premium requests.',
      empty: msg('No limit'),
    }),
    monthUsedUp: row({
      shape: z.enum(['warn', 'stop']),
      default: 'warn',
      section: 'limits',
      label: msg('When the monthly limit is used up'),
      help: msg('Warn: requests are still sent. Stop: error 429 until the next month.'),
      choices: { warn: msg('Warn'), stop: msg('Stop') },
    }),
    noticesAt: row({
      shape: z.array(z.number().int().min(1).max(100)).max(10),
      default: [50, 80, 100],
      unit: 'percent',
      help: 'A notification and a line of the log say once that this share of a monthly limit is used.',
      more: 'So they do for limits in `limits.rules`.',
    }),
    rules: row({
      shape: z.array(limitRuleSchema).max(50),
      default: [],
      section: 'limits',
      label: msg('Limits for a part of your requests'),
      help: msg('For a client, key, account, folder or model, in a day or a month: warn, or error 429.'),
      more: 'See [limits for a part of your requests](costs.md#limits-for-a-part-of-your-requests).',
    }),
    askBeforeOverage: row({
      shape: z.enum(['prompts', 'all', 'never']),
      default: 'prompts',
      section: 'limits',
      label: msg('Ask before paid overage'),
      help: msg('Where the included credits are used up, requests wait until you agree to pay, once a day.'),
      more: '`all` holds `agent` requests, too, which breaks off what a client is doing.',
      choices: { prompts: msg('Prompts'), all: msg('All requests'), never: msg('Never') },
    }),
    askBeforeBurst: row({
      shape: z.boolean(),
      default: false,
      section: 'limits',
      label: msg('Ask before a burst'),
      help: msg('Hold new user prompts when too many requests started within a minute.'),
    }),
    burstPerMinute: row({
      shape: z.number().int().min(1).max(mostAtAll),
      default: 60,
      help: 'More requests than that within a minute are a burst.',
    }),
  },
  network: {
    proxyScript: row({
      // What can be one is checked where it is saved (app/settings/preference-answers.ts).
      shape: z.string().min(1).max(2_000).nullable(),
      default: null,
      section: 'network',
      label: msg('PAC script'),
      help: msg('The address or path of a script that chooses the proxy. It counts more than any other proxy.'),
      empty: msg('None'),
      more:
        'Null: the tray app uses the system’s settings, the terminal `HTTPS_PROXY`. See ' +
        '[company networks](company-networks.md#pac-scripts).',
      environment: 'JUMPSEAT_PROXY_SCRIPT',
    }),
    caFile: row({
      // Whether it has certificates is checked where it is saved (app/settings/preference-answers.ts).
      shape: z.string().min(1).max(4_096).nullable(),
      default: null,
      section: 'network',
      label: msg('CA file'),
      help: msg('The path of your company’s certificates in PEM form. They are trusted as well.'),
      empty: msg('None'),
      more: 'See [company networks](company-networks.md#certificates).',
      environment: 'JUMPSEAT_CA_FILE',
    }),
  },
  models: {
    rules: row({
      shape: z.array(modelRuleSchema).max(50),
      default: [],
      section: 'rules',
      label: msg('Your rules'),
      help: msg('For each request, the first rule that matches decides its model, effort, account and limit.'),
      more: 'See [rules](rules.md).',
    }),
  },
  search: {
    engines: row({
      shape: z.array(engineNameSchema).max(10),
      default: ['copilot', 'github'],
      section: 'web-search',
      label: msg('Engines'),
      help: msg('Tried in this order. The next engine is used only if the previous one fails.'),
      more: '`off` ends the list.',
      environment: 'JUMPSEAT_SEARCH_ENGINES',
    }),
    model: row({
      shape: z.string().min(1).max(100).nullable(),
      default: null,
      section: 'web-search',
      label: msg('Model that searches at Copilot'),
      help: msg('Only OpenAI’s models can search. A small one costs about a credit a search.'),
      more: 'Null: the cheapest.',
    }),
    searxngUrl: row({
      shape: z.string().max(300).nullable(),
      default: null,
      section: 'web-search',
      label: msg('Address of your SearXNG'),
      help: msg('https, or http on this machine. Its search.formats needs json.'),
      empty: msg('No address'),
      environment: 'JUMPSEAT_SEARXNG_URL',
    }),
  },
  otlp: {
    endpoint: row({
      // Which addresses can be used is checked where it is saved (app/settings/preference-answers.ts).
      shape: z.string().max(300).nullable(),
      default: null,
      section: 'privacy',
      label: msg('OpenTelemetry collector'),
      help: msg('Where metrics and traces of requests are sent: https, or http on this machine. No content.'),
      empty: msg('None'),
      more:
        'The address of its OTLP receiver over HTTP, without `/v1/traces`; null: nothing is sent. Headers that it ' +
        'needs are in `JUMPSEAT_OTLP_HEADERS`. See [what leaves this machine](privacy.md#opentelemetry).',
    }),
  },
  sessions: {
    search: row({
      shape: z.boolean(),
      default: true,
      section: 'sessions',
      label: msg('Search conversations'),
      help: msg('Keeps an index of sessions of Claude Code, on this machine only.'),
      more: 'It is in `transcripts.db`.',
    }),
    atOnce: row({
      shape: z.number().int().min(1).max(16),
      default: 4,
      section: 'sessions',
      label: msg('Running at once'),
      help: msg('More wait in line until one is done. A turn that waits for your answer doesn’t count.'),
    }),
    unloadAfterMinutes: row({
      shape: z.number().int().min(1).max(weekInMinutes).nullable(),
      default: 15,
      unit: 'minute',
      section: 'sessions',
      label: msg('Unload idle sessions'),
      help: msg('Ends the process. The conversation stays. The next message starts it again.'),
      more: 'Null: never.',
      offered: [5, 15, 30, 60, 240],
      each: msg('After #'),
      empty: msg('Never'),
    }),
    creditsPerTurn: row({
      shape: credits,
      default: null,
      unit: 'credit',
      section: 'sessions',
      label: msg('Most credits per turn'),
      help: msg('A turn that has cost this much stops and asks.'),
      empty: msg('No limit'),
    }),
    webFetchPreflight: row({
      shape: z.boolean(),
      default: false,
      section: 'sessions',
      label: msg('Let Claude Code ask Anthropic about pages'),
      help: msg('About the domain of a page, before it reads it.'),
      more: 'In sessions that Jumpseat leads.',
    }),
    enterWhileRunning: row({
      shape: z.enum(['queue', 'steer']),
      default: 'queue',
      section: 'sessions',
      label: msg('Enter while Claude works'),
      help: msg('A message is sent after the turn, or read at its next step; Ctrl+Enter (⌘ on a Mac) does the other.'),
      choices: { queue: msg('Queue'), steer: msg('Steer') },
    }),
    mode: row({
      shape: z.enum(['default', 'acceptEdits', 'plan', 'auto']),
      default: 'default',
      section: 'sessions',
      label: msg('Permissions of new sessions'),
      help: msg('“Never ask” is only chosen in a session.'),
      more: 'New sessions ask first, don’t ask for edits, only plan, or a model judges.',
      takesEffect: 'for new sessions',
    }),
    model: row({
      shape: z.string().min(1).max(200).nullable(),
      default: 'opus',
      section: 'sessions',
      label: msg('Model of new sessions'),
      help: msg('Claude Code’s own names go through your overrides.'),
      more: 'Or a model’s id; Claude Code’s own choice where it is null or the account lacks it.',
      takesEffect: 'for new sessions',
    }),
    effort: row({
      shape: z.string().min(1).max(50).nullable(),
      default: 'high',
      section: 'sessions',
      label: msg('Effort of new sessions'),
      help: msg('How much their models think, as far as they can; null: the model decides.'),
      takesEffect: 'for new sessions',
    }),
    keepVersionsDays: row({
      shape: z.number().int().min(1).max(tenYearsInDays).nullable(),
      default: 30,
      unit: 'day',
      section: 'sessions',
      label: msg('Save versions for undo'),
      help: msg('Copies of files before Claude’s edits and commands, on this machine only.'),
      more: 'Null: for ever.',
      offered: [7, 30, 90, 365],
      empty: msg('For ever'),
    }),
    madeElsewhere: row({
      shape: z.boolean(),
      default: true,
      section: 'sessions',
      label: msg('Sessions made elsewhere'),
      help: msg('Lists what Claude Code keeps in ~/.claude/projects.'),
    }),
    openFilesWith: row({
      shape: z.enum(['system', 'code', 'codium', 'cursor', 'windsurf', 'zed', 'sublime']),
      default: 'system',
      section: 'sessions',
      label: msg('Open files with'),
      help: msg('Opens a path that you click in a session.'),
      more:
        'Jumpseat asks before it opens a file outside of the folder. `system` opens plain texts, pictures and PDF. ' +
        'Other files are shown in their folder.',
      choices: {
        system: msg('System default'),
        code: msg('VS Code'),
        codium: msg('VSCodium'),
        cursor: msg('Cursor'),
        windsurf: msg('Windsurf'),
        zed: msg('Zed'),
        sublime: msg('Sublime Text'),
      },
    }),
    titlesOutside: row({
      shape: z.boolean(),
      default: false,
      section: 'sessions',
      label: msg('Titles outside the window'),
      help: msg('Shows titles in the tray, notifications and names of windows. Off: the folder’s name only.'),
    }),
  },
} as const satisfies SettingTable;

/** Settings that a sign-in, a dialog, a command or an editor changes. */
export const otherSettings = {
  admission: row({
    shape: waySchema,
    default: 'vscode',
    label: 'Sign-in',
    help: 'The sign-in that requests use.',
    more: 'See [ways in](ways-in.md). A sign-in sets it, nothing changes it by itself.',
  }),
  secretsStorage: row({
    shape: z.enum(['keychain', 'file', 'memory']),
    default: 'keychain',
    help:
      'Where token and key are stored; `file` only after you agreed to it (`Choose storage…`), `memory` until ' +
      'Jumpseat quits.',
    environment: 'JUMPSEAT_SECRETS',
  }),
  mayRecord: row({
    shape: z.boolean(),
    default: true,
    label: 'Record bodies',
    help: 'Whether bodies can be recorded at all.',
  }),
  allowedModels: row({
    shape: z.array(z.string().min(1).max(200)).max(200).nullable(),
    default: null,
    label: 'Models',
    help: 'The ids of the models that requests may use; null: all of the account.',
    more: 'Others are in no list, and requests for them get error 404.',
  }),
  modelOverrides: row({
    shape: z.record(z.string(), z.string().min(1)),
    default: {},
    help: 'The model name that a client sends, and the id of the model that it runs on.',
  }),
  identity: {
    editorVersion: row({
      shape: headerValue.optional(),
      default: undefined,
      help: 'The editor’s version in requests to Copilot, instead of Jumpseat’s choice.',
    }),
    pluginVersion: row({
      shape: headerValue.optional(),
      default: undefined,
      help: 'The same for the plugin’s version.',
    }),
  },
  alwaysUser: row({
    shape: z.boolean(),
    default: false,
    help: 'Marks every request as yours. Marking every request as `agent` is not possible.',
  }),
  claudeProgram: row({
    shape: z.string().min(1).max(4_096).nullable(),
    default: null,
    section: 'sessions',
    label: msg('Claude Code'),
    help: msg('Where Claude Code of sessions comes from.'),
    more:
      '`own` (the `claude` on the PATH), `fetched` (the copy that Jumpseat fetches), or the path of a file. ' +
      'Default: your own if it is new enough, otherwise the copy.',
  }),
} as const satisfies SettingTable;

export type SettingTable = Readonly<Record<string, SettingRow | Readonly<Record<string, SettingRow>>>>;

/** Whether it is a row, and no group of rows. */
export function isRow(entry: SettingTable[string]): entry is SettingRow {
  return entry.shape instanceof z.ZodType;
}

/** The shapes of rows, and of groups as objects of them. */
export type ShapesOf<Table> = {
  [Name in keyof Table]: Table[Name] extends SettingRow<infer Shape> ? Shape : z.ZodObject<GroupOf<Table[Name]>>;
};
export type GroupOf<Group> = {
  [Name in keyof Group]: Group[Name] extends SettingRow<infer Shape> ? Shape : never;
};
