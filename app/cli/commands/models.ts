import { basename } from 'node:path';
import type { App } from '../../api/app.ts';
import type { ModelRow, ModelsReport } from '../../api/models.ts';
import { imaginedRequestSchema, type ModelRule, type RuleTrial } from '../../api/rules.ts';
import { sentences } from '../../language/sentences.ts';
import { t, translated } from '../../language/translate.ts';
import { callRunning } from '../../server/running-proxy.ts';
import { PolicyError } from '../../settings/policy.ts';
import { absenceWords, becauseWords, offeredWords, ruleUseInWords } from '../../words/models.ts';
import { price, tokenLimit } from '../../words/numbers.ts';
import { whenInWords } from '../../words/own-limits.ts';
import { moment } from '../../words/times.ts';
import { unreadableSignIn, wrongUsage } from '../failure.ts';
import { type Opened, type Surroundings, withApp } from '../surroundings.ts';
import { type Column, hung, table } from '../table.ts';
import { printReport, type Terminal } from '../terminal.ts';

interface ModelsOptions {
  json?: boolean;
  /** A name that is asked about. */
  why?: string;
}

/** `jumpseat models`: the catalog as it is now; `--why`: 1 where the name leads to no model. */
export async function models(surroundings: Surroundings, options: ModelsOptions): Promise<number> {
  const { terminal } = surroundings;
  const { why } = options;
  if (why !== undefined) return explain(surroundings, why, options.json === true);
  return withApp(surroundings, {}, async (opened) => {
    const { app } = opened;
    const report = await asked(
      opened,
      () => app.models(),
      (lock) => callRunning(lock, 'models', { refresh: true }),
    );
    printReport(terminal, report, options.json, () => modelLines(report, terminal, Date.now()));
    if (!options.json) await warnOfOldNames(app, terminal);
    return 0;
  });
}

/** The running Jumpseat is asked where this process has no sign-in: that one’s may be in its memory alone. */
async function asked<Result>(
  { app, ports }: Opened,
  own: () => Promise<Result>,
  ofRunning: (lock: string) => Promise<Result | null>,
): Promise<Result> {
  try {
    // The account's plan is a reason as well.
    await app.refresh();
    return await own();
  } catch (error) {
    if (error instanceof PolicyError) throw error;
    const reported = app.state().account.kind === 'signed-in' ? null : await ofRunning(ports.paths.lock);
    if (reported !== null) return reported;
    await app.trySecrets();
    throw unreadableSignIn(app.state()) ?? error;
  }
}

/** Claude Code asks for what its lines said when they were set: in settings.json, else in this shell. */
async function warnOfOldNames(app: Pick<App, 'check'>, terminal: Terminal): Promise<void> {
  const settings = await app.check('claude-code.settings');
  const check = settings?.found === 'shell' ? await app.check('claude-code.shell') : settings;
  if (check?.found !== 'outdated') return;
  const words = sentences(t('Claude Code asks by old values.'), check.finding, check.remedy ?? '');
  terminal.err(terminal.style('yellow', `\n${words}`));
}

async function explain(surroundings: Surroundings, name: string, json: boolean): Promise<number> {
  const { terminal } = surroundings;
  return withApp(surroundings, {}, async (opened) => {
    const answer = await asked(
      opened,
      () => opened.app.explainModel(name),
      (lock) => callRunning(lock, 'explainModel', name),
    );
    const lines = answer.remedy === null ? [answer.text] : [answer.text, answer.remedy];
    printReport(terminal, answer, json, () => lines.map((line) => hung(line, 0, terminal.columns)));
    if (!json) await warnOfOldNames(opened.app, terminal);
    return answer.kind === 'here' ? 0 : 1;
  });
}

export function modelLines(report: ModelsReport, terminal: Pick<Terminal, 'style' | 'columns'>, now: number): string[] {
  const head = (text: string): string => terminal.style('dim', text);
  const byId = new Map(report.models.map((model) => [model.id, model]));
  const multiplied = report.models.some((model) => model.price.kind === 'multiplier');
  const names = report.names.map((row) => {
    const model = row.model === null ? undefined : byId.get(row.model);
    const text = translated(row.absence === null ? becauseWords[row.because] : absenceWords[row.absence.kind]);
    const attention = row.because === 'disabled' || row.because === 'missing';
    return [
      row.asked,
      row.model ?? '–',
      attention ? terminal.style('red', text) : row.because === 'lower' ? terminal.style('yellow', text) : text,
      tokenLimit(model?.limits.prompt ?? null),
      tokenLimit(model?.limits.output ?? null),
      ...(model ? prices(model, multiplied) : priceHeads(multiplied).map(() => '–')),
    ];
  });
  const all = report.models.map((model) => [
    model.preview ? t('{model} (preview)', { model: model.id }) : model.id,
    model.vendor,
    tokenLimit(model.limits.prompt),
    tokenLimit(model.limits.output),
    ...prices(model, multiplied),
    model.endpoints.join(' '),
    model.policy === 'disabled'
      ? terminal.style('red', translated(offeredWords(model)))
      : translated(offeredWords(model)),
  ]);
  const limits: Column[] = [
    { head: t('Input'), align: 'right', spare: 5 },
    { head: t('Output'), align: 'right', spare: 4 },
  ];
  const warnings = [
    ...report.warnings,
    ...report.models.flatMap((model) => model.warnings.map((text) => `${model.id}: ${text}`)),
  ];
  return [
    t('Catalog from {when}', { when: moment(report.readAt, now) }),
    ...[...new Set(warnings)].map((text) => terminal.style('yellow', t('Copilot says: {text}', { text }))),
    '',
    terminal.style('bold', t('Models for Claude Code’s names')),
    ...table(
      [
        { head: t('Claude Code asks for'), least: 12 },
        { head: t('Copilot runs'), least: 18 },
        { head: t('Because'), spare: 6 },
        ...limits,
        ...priceHeads(multiplied),
      ],
      names,
      head,
      terminal.columns,
    ),
    '',
    terminal.style('bold', t('All models of this account')),
    ...table(
      [
        { head: t('Model'), least: 18 },
        { head: t('Vendor'), spare: 2 },
        ...limits,
        ...priceHeads(multiplied),
        { head: t('Endpoints'), least: 12, spare: 1 },
        { head: t('Offered'), spare: 6 },
      ],
      all,
      head,
      terminal.columns,
    ),
    '',
    head(
      hung(
        multiplied
          ? t('Limits in tokens; prices in premium requests per prompt.')
          : t('Limits in tokens; prices in credits per million tokens.'),
        0,
        terminal.columns,
      ),
    ),
  ];
}

function priceHeads(multiplied: boolean): Column[] {
  if (multiplied) return [{ head: t('Multiplier'), align: 'right' }];
  return [
    { head: t('Price in'), align: 'right', spare: 7 },
    { head: t('Cached'), align: 'right', spare: 3 },
    { head: t('Price out'), align: 'right', spare: 8 },
  ];
}

function prices({ price: of }: ModelRow, multiplied: boolean): string[] {
  if (multiplied) return [of.kind === 'multiplier' ? `${of.multiplier}×` : '–'];
  if (of.kind !== 'credits') return ['–', '–', '–'];
  return [price(of.input), price(of.cacheRead), price(of.output)];
}

/** `jumpseat rules`: in the order in which they are tried. */
export async function rules(surroundings: Surroundings, { json }: { json?: boolean }): Promise<number> {
  const { terminal } = surroundings;
  return withApp(surroundings, {}, async ({ app, settings, ports }) => {
    const list = settings.current().models.rules;
    for (const { code, text, remedy } of app.warnings())
      if (code.startsWith('settings-')) terminal.err(sentences(text, remedy));
    const file = basename(ports.paths.settings);
    const none = (): string[] => [t('No rules. Add them in Settings → Rules, or as models.rules in {file}.', { file })];
    printReport(terminal, list, json, () => (list.length === 0 ? none() : ruleLines(list, terminal.columns)));
    return 0;
  });
}

function ruleLines(list: readonly ModelRule[], most?: number): string[] {
  return table(
    [
      { head: t('Rule'), align: 'right' },
      { head: t('When'), least: 12, spare: 1 },
      { head: t('Use'), least: 12, spare: 1 },
    ],
    list.map(({ when, use }, at) => [String(at + 1), whenInWords(when), ruleUseInWords(use)]),
    undefined,
    most,
  );
}

interface TryOptions {
  client?: string;
  key?: string;
  folder?: string;
  class?: string;
  json?: boolean;
}

/** `jumpseat rules try MODEL`: 1 where the request would be refused. */
export async function tryRules(
  surroundings: Surroundings,
  model: string,
  { json, ...options }: TryOptions,
): Promise<number> {
  const request = imaginedRequestSchema.safeParse({ model, ...options });
  if (!request.success)
    throw wrongUsage(
      request.error.issues.some(({ path }) => path[0] === 'class')
        ? t('--class must be main, subagent, compaction or auxiliary.')
        : t('--folder must be a whole path, such as ~/shop, and no name may be empty or longer than 100 characters.'),
    );
  const trial = await withApp(surroundings, {}, (opened) =>
    asked(
      opened,
      () => opened.app.tryRules(request.data),
      (lock) => callRunning(lock, 'tryRules', request.data),
    ),
  );
  printReport(surroundings.terminal, trial, json, () => trialLines(trial, surroundings.terminal));
  return trial.model === null ? 1 : 0;
}

function trialLines({ sentences, remedy }: RuleTrial, { columns }: Pick<Terminal, 'columns'>): string[] {
  return [...sentences, ...(remedy === null ? [] : [remedy])].map((text) => hung(text, 0, columns));
}
