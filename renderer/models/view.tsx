import classNames from 'classnames/bind';
import { useCallback, useEffect, useState } from 'react';
import type { GoneModel, ModelsReport } from '../../app/api/models.ts';
import type { SetupPlan } from '../../app/api/setup.ts';
import { t } from '../../app/language/translate.ts';
import { goneWords } from '../../app/words/models.ts';
import { clockTime, day, dayAndTime } from '../../app/words/times.ts';
import { Button, LinkButton } from '../parts/button.tsx';
import { Info, Key, Sync, Warning } from '../parts/icons.tsx';
import { rich } from '../parts/rich.tsx';
import { Empty, ViewHead } from '../parts/view-frame.tsx';
import { useActions } from '../state/actions.ts';
import { useAsked } from '../state/asked.ts';
import { toast } from '../state/notices.ts';
import { go } from '../state/routes.ts';
import { useApp, useBrokenPolicy, useServices, useWindow } from '../state/services.ts';
import { type SetupLook, showSetup, useSetupPlan } from '../state/setup-plan.ts';
import { AllModels } from './all-models.tsx';
import { Learned, type LearnedProps } from './learned.tsx';
import styles from './models.module.css';
import { NamesTable } from './names-table.tsx';

const css = classNames.bind(styles);

/** What runs when Claude Code asks for “opus”. */
export function ModelsView() {
  const { bridge, store } = useServices();
  const app = useApp();
  const [refreshing, setRefreshing] = useState(false);
  const isThroughVscode = app.reach.kind === 'through-vscode';
  const signedIn = app.account.kind === 'signed-in' || isThroughVscode;
  const login = app.account.kind === 'signed-in' ? app.account.login : null;
  // The organization's policy changed, can't be used any more, or can again: other models may be used.
  const rules = useWindow(({ preferences }) => JSON.stringify(preferences?.managed));
  const broken = useBrokenPolicy();
  const policyProblem = broken?.text;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another account has another catalog.
  const ask = useCallback(async (): Promise<ModelsReport | null> => {
    if (!signedIn) return null;
    return bridge.models({});
  }, [bridge, signedIn, login, isThroughVscode, rules, policyProblem]);
  const { asked, again } = useAsked(ask);
  useFocusedAgain(again);
  const askLearned = useCallback(() => bridge.learned(), [bridge]);
  const learned = useAsked(askLearned);
  useFocusedAgain(learned.again);

  const refresh = async (): Promise<void> => {
    setRefreshing(true);
    const before = asked.last?.readAt ?? null;
    // What went wrong is said by asking again, which answers from what is known.
    const read = await bridge.models({ refresh: true }).catch(() => null);
    await again();
    setRefreshing(false);
    if (before !== null && read?.readAt === before) {
      toast(store, t('Copilot sent no new list. This is the one from {before}.', { before: catalogTime(before) }), {
        kind: 'failed',
      });
    }
  };

  const report = asked.last;
  const offline = app.status === 'offline';
  return (
    <>
      <ViewHead title={t('Models')}>
        {report !== null && (
          <span className="muted small">{t('Catalog from {readAt}', { readAt: catalogTime(report.readAt) })}</span>
        )}
        {signedIn && broken === null && (
          <Button icon={<Sync size={14} />} disabled={refreshing} onClick={() => void refresh()}>
            {refreshing ? t('Refreshing…') : t('Refresh')}
          </Button>
        )}
      </ViewHead>
      {!signedIn ? (
        <Empty
          icon={<Key size={24} />}
          title={t('Sign in to see your models')}
          actions={
            <Button look="primary" size="large" onClick={() => go({ place: 'sign-in' })}>
              {t('Sign in')}
            </Button>
          }
        >
          {t('The list comes from your account.')}
        </Empty>
      ) : report !== null ? (
        <Known
          report={report}
          old={offline || asked.kind === 'failed'}
          again={broken === null ? again : null}
          failed={asked.kind === 'failed' ? asked.text : null}
          learned={{ facts: learned.asked.last ?? [], changed: learned.again }}
        />
      ) : asked.kind === 'failed' ? (
        <Empty
          icon={<Warning size={24} />}
          title={t('The model list can’t be read')}
          actions={
            broken === null ? (
              <Button size="large" onClick={() => void refresh()}>
                {t('Try again')}
              </Button>
            ) : undefined
          }
        >
          {asked.text} {broken?.remedy}
        </Empty>
      ) : (
        <GreyRows />
      )}
    </>
  );
}

interface KnownProps {
  report: ModelsReport;
  /** True if it may no longer hold: shown muted. */
  old: boolean;
  failed: string | null;
  /** Null where asking once more can't help. */
  again: (() => Promise<void>) | null;
  learned: LearnedProps;
}

function Known({ report, old, failed, again, learned }: KnownProps) {
  const { bridge, store } = useServices();
  const app = useApp();
  const setup = useSetupPlan('setup');
  useFocusedAgain(setup.again);
  const [editing, setEditing] = useState<string | null>(null);
  const [linesChanged, setLinesChanged] = useState(false);
  const { setOverride } = bridge;

  const save = async (name: string, model: string | null): Promise<void> => {
    const { linesChanged: changed } = await setOverride(name, model);
    await again?.();
    setLinesChanged((before) => before || changed);
    toast(store, model === null ? t('Override removed.') : t('Override saved.'));
  };

  return (
    <div className={css('view-scroll', 'models', { old: old })}>
      {failed !== null && (
        <div className={css('banner', 'amber', 'models-banner')} role="status">
          <Warning size={16} />
          <p>
            <b>{t('The model list can’t be read now.')}</b> {failed}
          </p>
          {again !== null && <Button onClick={() => void again()}>{t('Try again')}</Button>}
        </div>
      )}
      {report.warnings.map((text) => (
        <div className={css('banner', 'amber', 'models-banner')} key={text}>
          <Warning size={16} />
          <p>{t('Copilot says: {text}', { text })}</p>
        </div>
      ))}
      {app.goneModels.map((gone) => (
        <GoneBanner key={`${gone.model} ${gone.rule ?? ''}`} gone={gone} choose={() => setEditing(gone.asked)} />
      ))}
      <LinesBanner look={setup.look} linesChanged={linesChanged} copied={() => setLinesChanged(false)} />
      <div className={css('models-head')}>
        <h2>{t('Models for Claude Code’s names')}</h2>
        {save !== null && (
          <LinkButton data-adds onClick={() => setEditing('')}>
            {t('Add override')}
          </LinkButton>
        )}
      </div>
      <NamesTable report={report} editing={editing} edit={setEditing} save={save} />
      <div className={css('models-head')}>
        <h2>{t('All models of this account')}</h2>
        <span className="muted small">{t('Limits in tokens of one request')}</span>
      </div>
      <AllModels models={report.models} />
      <Learned {...learned} />
    </div>
  );
}

/** Says where Claude Code still asks for the models of before: in its settings.json, else in copied lines. */
function LinesBanner({ look, linesChanged, copied }: { look: SetupLook; linesChanged: boolean; copied: () => void }) {
  const { store } = useServices();
  const { copyLines } = useActions();
  if (look.kind === 'reading') return null;
  const plan = look.kind === 'plan' && look.plan.isSetUp ? look.plan : null;
  const old = plan === null ? [] : oldModels(plan);
  if (plan !== null && old.length > 0) {
    return (
      <div className={css('banner', 'amber', 'models-banner')} role="status">
        <Warning size={16} />
        <p>
          {rich('<b>{file} still has the old {count, plural, one {model} other {models}}.</b> Claude Code {old}.', {
            file: plan.shown,
            count: old.length,
            old: old.join(', '),
            b: (inside) => <b>{inside}</b>,
          })}
        </p>
        <Button onClick={() => showSetup(store, 'setup')}>{t('Show changes')}</Button>
      </div>
    );
  }
  if (plan !== null || !linesChanged) return null;
  return (
    <div className={css('banner', 'models-banner')} role="status">
      <Info size={16} />
      <p>
        {t(
          'The lines for Claude Code have changed since you copied them. Terminals with the old lines go on with the old models: copy the lines again, and paste them there.',
        )}
      </p>
      {copyLines !== null && (
        <Button
          onClick={() => {
            copyLines();
            copied();
          }}
        >
          {t('Copy again')}
        </Button>
      )}
    </div>
  );
}

/** `asks for claude-sonnet-4.6 instead of claude-sonnet-4.5` */
function oldModels({ changes }: SetupPlan): string[] {
  return changes
    .filter(({ name, kind }) => kind === 'replace' && /^ANTHROPIC_DEFAULT_\w+_MODEL$/.test(name))
    .map(({ before, after }) =>
      t('asks for {before} instead of {after}', { before: before ?? '', after: after ?? '' }),
    );
}

function GreyRows() {
  return (
    <div className={css('view-scroll', 'models')} aria-busy="true">
      <span className="sr">{t('Reading the models…')}</span>
      <div className={css('grey-models')}>
        {['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'].map((row) => (
          <div key={row} />
        ))}
      </div>
    </div>
  );
}

/** Settings can change elsewhere: they are read again when the window gets the focus. */
function useFocusedAgain(again: () => Promise<void> | void): void {
  useEffect(() => {
    const look = (): void => {
      if (!document.hidden) void again();
    };
    document.addEventListener('visibilitychange', look);
    window.addEventListener('focus', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('focus', look);
    };
  }, [again]);
}

/** `10:36:02`, with the day when it was not today. */
function catalogTime(at: number): string {
  return day(at) === day(Date.now()) ? clockTime(at) : dayAndTime(at);
}

/** A model in use, or of a rule, that can't be used any more. */
function GoneBanner({ gone, choose }: { gone: GoneModel; choose: () => void }) {
  const { asked, runsOn, rule } = gone;
  return (
    <div className={css('banner', 'amber', 'models-banner')} role="status">
      <Warning size={16} />
      <p>
        <b>{goneWords(gone)}</b>{' '}
        {rule !== undefined
          ? t('Rule {rule} names it.', { rule })
          : runsOn === null
            ? t('“{asked}” gets error 404 until you choose another model.', { asked })
            : t('“{asked}” now runs on {runsOn}.', { asked, runsOn })}
      </p>
      {rule === undefined ? (
        <Button onClick={choose}>{t('Choose a model')}</Button>
      ) : (
        <Button onClick={() => go({ place: 'settings', part: 'rules' })}>{t('Show rules')}</Button>
      )}
    </div>
  );
}
