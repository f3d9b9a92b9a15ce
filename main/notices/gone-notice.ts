import type { GoneModel } from '../../app/api/models.ts';
import type { SystemNotice } from './system-notice.ts';

/** So many models that are gone are remembered as told, which is more than a person uses. */
const mostGone = 100;

/** One notice for all models in use that are gone and were not told yet; null where there is none. */
export function goneNotice(
  gone: readonly GoneModel[],
  told: readonly string[],
): { notice: SystemNotice; told: string[] } | null {
  const news = gone.filter(({ model }) => !told.includes(model));
  const [first] = news;
  if (first === undefined) return null;
  const now =
    first.runsOn === null
      ? `Claude Code’s "${first.asked}" gets error 404 until you choose another model.`
      : `Claude Code’s "${first.asked}" now runs on ${first.runsOn}.`;
  return {
    notice: {
      cause: `model-${first.model}`,
      title:
        news.length === 1
          ? `${first.model} is no longer in your catalog`
          : `${news.length} models are no longer in your catalog`,
      body: news.length === 1 ? now : `${news.map(({ model }) => model).join(', ')}.`,
      opens: { place: '#/models' },
    },
    told: [...told, ...news.map(({ model }) => model)].slice(-mostGone),
  };
}
