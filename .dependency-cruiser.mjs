/**
 * The arrows of the house: an import may point down, never up.
 * fronts → compose.ts → app.ts → app-parts.ts → own-accounts → health, sign-in, mcp → server, search, web → exchange
 * → copilot, history → account, settings → api/ → formats, ports
 * In the window: start.tsx → shell → views → state → parts. What is no other room of renderer/ is a view.
 * A rule's name is what a wrong import is told.
 */
const room = (name) => `^app/${name}/`;
const never = (name, comment, from, to) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from },
  to: { path: to },
});

export default {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      comment: 'Two files that need each other are one, or a third is missing.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved',
      severity: 'error',
      comment: 'An import has to exist.',
      from: {},
      // VS Code gives its module to extensions at run time.
      to: { couldNotResolve: true, pathNot: '^vscode$' },
    },
    never('app-knows-no-window-system', 'app/ is plain Node.', '^app/', '^(main|preload|renderer|vscode)/'),
    never('app-knows-no-electron', 'app/ is plain Node.', '^app/', '(^|/)node_modules/electron/'),
    {
      name: 'rooms-know-no-terminal',
      severity: 'error',
      comment: 'Only the terminal front speaks to a terminal.',
      from: { path: '^app/', pathNot: room('cli') },
      to: { path: room('cli') },
    },
    never('terminal-keeps-apart', 'Fronts meet in app/api/.', '^app/cli/', '^(main|preload|renderer|vscode)/'),
    never('tray-keeps-apart', 'Fronts meet in app/api/.', '^main/', '^(app/cli|renderer|vscode)/'),
    never(
      'extension-keeps-apart',
      'The extension is a front of its own, with another upstream: it knows no account and no other front.',
      '^vscode/',
      '^(main|preload|renderer)/|^app/(cli|account|history|sign-in|own-accounts|simulator|app|app-parts|compose)[/.]',
    ),
    never(
      'one-file-speaks-to-vscode',
      'What the extension does is tested without VS Code.',
      '^vscode/(?!extension\\.ts|editor-models\\.ts)',
      '^vscode$',
    ),
    never(
      'preload-is-one-bridge',
      'preload/ carries calls and knows nothing of what they do.',
      '^preload/',
      '^(main/|vscode/|app/(?!api/)|renderer/(?!bridge\\.ts))',
    ),
    {
      name: 'renderer-knows-only-the-contract',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: '^(app|main|preload|vscode)/', pathNot: '^app/(api|formats|words)/' },
    },
    never('shell-is-on-top', 'Only start.tsx knows the shell.', '^renderer/(?!shell/|start\\.tsx)', '^renderer/shell/'),
    {
      name: 'views-know-no-view',
      severity: 'error',
      comment: 'A view gets from the shell what another view has; what both need is state or a part.',
      from: { path: '^renderer/(?!shell/|state/|parts/|styles/)([^/]+)/' },
      to: { path: '^renderer/', pathNot: '^renderer/($1/|state/|parts/|shell/|bridge\\.ts)' },
    },
    never(
      'window-state-knows-no-view',
      "state/ is the window's copy of the state of the app.",
      '^renderer/state/',
      '^renderer/(?!state/|parts/|shell/|bridge\\.ts)',
    ),
    never(
      'window-parts-stand-alone',
      'Every view is made of parts/.',
      '^renderer/parts/',
      '^renderer/(?!parts/|shell/)',
    ),
    never(
      'styles-stand-alone',
      'styles/ is how the window looks and has no code.',
      '^renderer/styles/',
      '^renderer/(?!styles/|shell/)',
    ),
    never(
      'start-chooses-the-bridge',
      'The window does not know whether it is in a browser.',
      '^renderer/(?!start\\.tsx)',
      '^renderer/(start\\.tsx|(http|ipc)-bridge\\.ts)',
    ),
    never(
      'bridges-know-no-window',
      'A bridge carries calls and knows nothing of what is shown.',
      '^renderer/((http|ipc)-)?bridge(-calls)?\\.ts',
      '^renderer/(?!bridge(-calls)?\\.ts|shell/)',
    ),
    never(
      'formats-are-pure',
      'formats/ holds types and pure functions.',
      room('formats'),
      '^(app/(?!formats/)|main/|renderer/)',
    ),
    never(
      'wire-has-no-vendor',
      'formats/wire/ knows bytes, JSON and events; formats stand above it.',
      '^app/formats/wire/',
      '^app/formats/(?!wire/)',
    ),
    never(
      'formats-know-no-pair',
      'pairs → formats → answer → wire.',
      '^app/formats/(messages|chat|responses|openai|lm|answer|translation)/',
      '^app/formats/([a-z]+-via|via-)',
    ),
    {
      name: 'pairs-keep-apart',
      severity: 'error',
      comment: 'What two pairs share stands in messages-via/ or via-messages/.',
      from: { path: '^app/formats/([a-z]+-via-[a-z]+)/' },
      to: { path: '^app/formats/[a-z]+-via-[a-z]+/', pathNot: '^app/formats/$1/' },
    },
    {
      name: 'formats-do-no-io',
      severity: 'error',
      from: { path: room('formats') },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(buffer|string_decoder)$' },
    },
    never(
      'words-know-the-contract-alone',
      'words/ says state and rows to people.',
      room('words'),
      '^app/(?!words/|api/)',
    ),
    never('adapters-know-ports-alone', 'An adapter fills a port.', room('adapters'), '^app/(?!adapters/|ports\\.ts)'),
    never(
      'settings-stand-low',
      'settings → api, formats, ports.',
      room('settings'),
      '^app/(?!settings/|api/|formats/|ports\\.ts)',
    ),
    never(
      'packages-stand-low',
      'packages fetches what others name; what is inside is theirs.',
      room('packages'),
      '^app/(?!packages/|ports\\.ts)',
    ),
    never(
      'account-stands-low',
      'account → packages, formats, ports, settings.',
      room('account'),
      '^app/(?!account/|packages/|settings/|formats/|ports\\.ts|api/)',
    ),
    never(
      'claude-code-stands-low',
      'claude-code is about files on this machine.',
      room('claude-code'),
      '^app/(?!claude-code/|settings/|formats/|ports\\.ts|api/)',
    ),
    never(
      'openai-clients-stand-low',
      'openai-clients writes lines; how a shell writes a variable is told in claude-code.',
      room('openai-clients'),
      '^app/(?!openai-clients/|claude-code/(?:env|render-env)\\.ts|api/)',
    ),
    never(
      'copilot-points-down',
      'copilot → account, settings, formats, ports.',
      room('copilot'),
      '^app/(?!copilot/|account/|settings/|formats/|ports\\.ts|api/)',
    ),
    never(
      'history-points-down',
      'history → account, settings, formats, ports.',
      room('history'),
      '^app/(?!history/|account/|settings/|formats/|ports\\.ts|api/)',
    ),
    never(
      'recording-points-down',
      'recording → formats, ports.',
      room('recording'),
      '^app/(?!recording/|formats/|ports\\.ts|api/)',
    ),
    never(
      'exchange-points-down',
      'exchange → copilot, history and what is below them.',
      room('exchange'),
      '^app/(server|search|mcp|web|health|sign-in|own-accounts|cli|simulator|adapters|app\\.ts)',
    ),
    never(
      'search-points-down',
      'search → exchange and what is below it. Who offers a search gets it as a port.',
      room('search'),
      '^app/(server|mcp|health|sign-in|own-accounts|cli|simulator|adapters|app\\.ts)',
    ),
    never(
      'fits-know-no-step',
      'A fit knows Copilot and one format: no client, no lesson, no run.',
      '^app/exchange/fits/',
      '^app/exchange/(?!fits/)',
    ),
    never(
      'clients-know-no-orchestrator',
      'What differs between clients is asked by exchange.ts, never the other way round.',
      '^app/exchange/clients/',
      '^app/exchange/(exchange|run|runs)\\.ts',
    ),
    never(
      'server-points-down',
      'server → exchange and what is below it.',
      room('server'),
      '^app/(mcp|web|health|sessions|sign-in|own-accounts|cli|simulator|adapters|app\\.ts)',
    ),
    never(
      'web-stands-low',
      'web reads pages: it knows no client, no account and no Copilot.',
      room('web'),
      '^app/(?!web/|ports\\.ts|account/unless-aborted\\.ts|words/shortened\\.ts)',
    ),
    never(
      'mcp-points-down',
      'mcp → server, search, web and what is below them.',
      room('mcp'),
      '^app/(health|sign-in|own-accounts|cli|simulator|adapters|app\\.ts)',
    ),
    never(
      'health-points-down',
      'health asks the parts; fronts and the simulator are none of its business.',
      room('health'),
      '^app/(cli|simulator|adapters|sign-in|own-accounts|app\\.ts)',
    ),
    never(
      'own-accounts-points-down',
      'own-accounts makes the objects of each account; only app-parts.ts and app.ts know all of them.',
      room('own-accounts'),
      '^app/(cli|simulator|adapters|server|search|app\\.ts)',
    ),
    never(
      'sign-in-points-down',
      'sign-in → account, packages, settings, ports.',
      room('sign-in'),
      '^app/(?!sign-in/|account/|packages/|settings/|formats/|api/|ports\\.ts)',
    ),
    never(
      'sessions-point-down',
      'What sessions need of the server, the log and the fronts they get through ports.',
      room('sessions'),
      '^app/(?!sessions/|claude-code/|openai-clients/|packages/|history/|settings/|formats/|api/|ports\\.ts|account/unless-aborted\\.ts)',
    ),
    never(
      'session-store-stands-low',
      'The store keeps what it is given: it knows neither host nor agent.',
      '^app/sessions/store/',
      '^app/sessions/(?!store/)',
    ),
    never(
      'agents-know-no-host',
      'An agent is a description: who hosts its sessions is above it.',
      '^app/sessions/agents/',
      '^app/sessions/(?!agents/)',
    ),
    never(
      'simulator-stands-alone',
      'The simulator is the other side of the wire: it shares formats and nothing else.',
      room('simulator'),
      '^app/(?!simulator/|formats/)',
    ),
    {
      name: 'adapters-are-the-fronts',
      severity: 'error',
      comment: 'compose.ts chooses the adapters that the fronts share, a front its own.',
      from: { path: '^app/', pathNot: '^app/((cli|adapters)/|compose\\.ts$)' },
      to: { path: room('adapters') },
    },
    {
      name: 'parts-do-not-know-the-whole',
      severity: 'error',
      from: { path: '^app/[^/]+/', pathNot: room('cli') },
      to: { path: '^app/(?!ports\\.ts$)[^/]+\\.ts$' },
    },
    {
      name: 'contract-knows-no-part',
      severity: 'error',
      from: { path: '^app/(api/|ports\\.ts$)' },
      to: { path: '^app/', pathNot: '^app/(formats/|api/|ports\\.ts)' },
    },
    {
      name: 'no-test-code-in-the-product',
      severity: 'error',
      from: { path: '^(app|main|preload|renderer|vscode)/' },
      to: { path: '^tests/' },
    },
    {
      name: 'no-dev-dependency-in-the-product',
      severity: 'error',
      from: { path: '^app/' },
      to: { dependencyTypes: ['npm-dev'], pathNot: '@types/|/electron/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
      conditionNames: ['import', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
};
