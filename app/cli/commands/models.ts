import type { ModelRow, ModelsReport } from '../../api/models.ts';
import { becauseWords, policyWords } from '../../words/models.ts';
import { price, tokenLimit } from '../../words/numbers.ts';
import { moment } from '../../words/times.ts';
import { type Surroundings, withApp } from '../surroundings.ts';
import { type Column, table } from '../table.ts';
import type { Terminal } from '../terminal.ts';

export interface ModelsOptions {
  json?: boolean;
}

/** `jumpseat models`: the catalog as it is now. */
export async function models(surroundings: Surroundings, options: ModelsOptions): Promise<number> {
  const { terminal } = surroundings;
  const report = await withApp(surroundings, {}, ({ app }) => app.models({ refresh: true }));
  if (options.json) terminal.out(JSON.stringify(report, null, 2));
  else for (const line of modelLines(report, terminal, Date.now())) terminal.out(line);
  return 0;
}

export function modelLines(report: ModelsReport, terminal: Pick<Terminal, 'style'>, now: number): string[] {
  const head = (text: string): string => terminal.style('dim', text);
  const byId = new Map(report.models.map((model) => [model.id, model]));
  const multiplied = report.models.some((model) => model.price.kind === 'multiplier');
  const names = report.names.map((row) => {
    const model = row.model === null ? undefined : byId.get(row.model);
    const text = becauseWords[row.because];
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
    model.preview ? `${model.id} (preview)` : model.id,
    model.vendor,
    tokenLimit(model.limits.prompt),
    tokenLimit(model.limits.output),
    ...prices(model, multiplied),
    model.endpoints.join(' '),
    model.policy === 'disabled' ? terminal.style('red', policyWords[model.policy]) : policyWords[model.policy],
  ]);
  const limits: Column[] = [
    { head: 'Input', align: 'right' },
    { head: 'Output', align: 'right' },
  ];
  const warnings = [
    ...report.warnings,
    ...report.models.flatMap((model) => model.warnings.map((text) => `${model.id}: ${text}`)),
  ];
  return [
    `Catalog from ${moment(report.readAt, now)}`,
    ...[...new Set(warnings)].map((text) => terminal.style('yellow', `Copilot says: ${text}`)),
    '',
    terminal.style('bold', 'What Claude Code’s names run on'),
    ...table(
      [
        { head: 'Claude Code asks for' },
        { head: 'Copilot runs' },
        { head: 'Because' },
        ...limits,
        ...priceHeads(multiplied),
      ],
      names,
      head,
    ),
    '',
    terminal.style('bold', 'All models of this account'),
    ...table(
      [
        { head: 'Model' },
        { head: 'Vendor' },
        ...limits,
        ...priceHeads(multiplied),
        { head: 'Endpoints' },
        { head: 'Policy' },
      ],
      all,
      head,
    ),
    '',
    head(
      multiplied
        ? 'Limits in tokens; prices in premium requests per prompt.'
        : 'Limits in tokens; prices in credits per million tokens.',
    ),
  ];
}

function priceHeads(multiplied: boolean): Column[] {
  if (multiplied) return [{ head: 'Multiplier', align: 'right' }];
  return [
    { head: 'Price in', align: 'right' },
    { head: 'Cached', align: 'right' },
    { head: 'Price out', align: 'right' },
  ];
}

function prices({ price: of }: ModelRow, multiplied: boolean): string[] {
  if (multiplied) return [of.kind === 'multiplier' ? `${of.multiplier}×` : '–'];
  if (of.kind !== 'credits') return ['–', '–', '–'];
  return [price(of.input), price(of.cacheRead), price(of.output)];
}
