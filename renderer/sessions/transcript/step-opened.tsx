import classNames from 'classnames/bind';
import type { ReactNode } from 'react';
import { t } from '../../../app/language/translate.ts';
import { mcpTool } from '../../../app/words/agents.ts';
import { oneLine } from '../../../app/words/text.ts';
import { LinkButton } from '../../parts/button.tsx';
import type { Step } from '../state/conversation.ts';
import { figureOf, listOf, textOf } from '../state/fields.ts';
import { CopyLink } from '../text/copy-button.tsx';
import { Difference } from '../text/difference.tsx';
import { LongText } from '../text/long-text.tsx';
import { Markdown } from '../text/markdown.tsx';
import { safeAddress } from '../text/safe-address.tsx';
import { terminalText } from '../text/terminal.tsx';
import { sourceOf } from './changed-lines.ts';
import { LaneView } from './lane-view.tsx';
import { Output, TaskList, ToolImages } from './output.tsx';
import {
  answersOf,
  askedOfWeb,
  commandAsked,
  commandOf,
  isTooLongForLine,
  pathOf,
  planOf,
  searchResults,
  shownPath,
  stepWords,
  textIn,
} from './step-words.ts';
import styles from './steps.module.css';
import { useTranscript } from './transcript-context.ts';

const css = classNames.bind(styles);

interface StepOpenedProps {
  itemKey: string;
  step: Step;
  turnId: string;
  depth: number;
}

/** What a step holds, by its kind. */
export function StepOpened(props: StepOpenedProps) {
  const { step } = props;
  return (
    <>
      <DenialWords step={step} />
      <WholePath step={step} />
      <Inner {...props} />
      <ToolImages content={step.content} />
    </>
  );
}

function Inner({ itemKey, step, turnId, depth }: StepOpenedProps): ReactNode {
  const { actions } = useTranscript();
  const { stepKind, lane, content } = step;
  const said = textIn(content);
  switch (stepKind) {
    case 'shell':
      return <Shell step={step} />;
    case 'read':
    case 'search':
      return said === '' ? <Nothing /> : <Output text={said} end="first" />;
    case 'write':
    case 'edit':
    case 'notebook':
      return <Edited step={step} turnId={turnId} />;
    case 'web':
      return <Web step={step} />;
    case 'tasks':
      return <TaskList tasks={step.tasks ?? []} />;
    case 'subagent':
      return (
        <>
          {lane !== null && <LaneView itemKey={itemKey} lane={lane} turnId={turnId} depth={depth} />}
          {said !== '' && <Markdown text={said} actions={actions} />}
        </>
      );
    case 'question':
      return <QuestionAsked step={step} />;
    case 'plan':
      return (
        <>
          <Markdown text={planOf(step)} actions={actions} />
          {step.state === 'failed' && said !== '' && <Output text={said} end="first" />}
        </>
      );
    case 'skill':
      return said === '' ? <Nothing /> : <Output text={said} end="first" />;
    default: {
      const server = mcpTool(step.tool)?.server ?? null;
      return <Called said={said} server={server} step={step} />;
    }
  }
}

function Nothing() {
  return <p className={css('cut')}>{t('No output.')}</p>;
}

/** What a person said when they declined. */
function DenialWords({ step: { answered } }: { step: Step }) {
  const words = textOf(answered?.answer, 'words');
  return words === null ? null : (
    <p className={css('said-why')}>
      <LongText text={words} />
    </p>
  );
}

/** Characters of a path that a step's line shows at least. */
const mostInLine = 40;

/** Where it may be cut in its line. */
function WholePath({ step }: { step: Step }) {
  const { cwd } = useTranscript();
  const { isPath } = stepWords(step, cwd);
  const path = pathOf(step);
  return !isPath || path === null || path.length <= mostInLine ? null : (
    <p className={css('whole-path', 'small', 'mono')}>
      <LongText text={path} />
    </p>
  );
}

function Shell({ step }: { step: Step }) {
  const { content, input } = step;
  const output = textIn(content);
  const command = commandOf(step);
  const asked = commandAsked(step);
  const directory = textOf(input, 'workdir') ?? textOf(input, 'cwd');
  return (
    <>
      {asked !== null && (
        <>
          <p className="muted small">{t('The agent asked for')}</p>
          <pre className={css('command')}>
            <LongText text={terminalText(asked)} />
          </pre>
          <p className="muted small">{t('Ran, as you changed it')}</p>
        </>
      )}
      {(asked !== null || isTooLongForLine(command)) && (
        <pre className={css('command')}>
          <LongText text={terminalText(command)} />
        </pre>
      )}
      {output === '' ? <Nothing /> : <Output text={output} end="last" cuts={step.cuts} />}
      <div className={css('cut')}>
        {directory !== null && <span className="mono">{directory}</span>}
        <CopyLink label={t('Copy command')} text={() => command} />
        {output !== '' && <CopyLink label={t('Copy output')} text={() => terminalText(output)} />}
      </div>
    </>
  );
}

function Edited({ step, turnId }: { step: Step; turnId: string }) {
  const { actions, cwd } = useTranscript();
  const path = pathOf(step);
  const { openPath, showInChanges } = actions;
  const differences = step.content.filter((part) => part.type === 'diff');
  // What was not written may be a file that was never made; a file that was made is gone once that is undone.
  const isMade = differences.some(({ oldText }) => oldText === null);
  const isThere = (step.state === 'done' || step.stepKind === 'edit') && !(isMade && step.undone.length > 0);
  const open =
    openPath === undefined || path === null ? undefined : () => openPath(path, step.locations[0]?.line ?? null);
  return (
    <>
      {differences.map((part, index) => (
        <Difference
          // biome-ignore lint/suspicious/noArrayIndexKey: places of one edit keep their order.
          key={index}
          path={shownPath(part.path, cwd)}
          source={sourceOf(part, lineOf(step, differences.length, index))}
          {...(open === undefined || !isThere ? {} : { openFile: open })}
        />
      ))}
      {step.state === 'failed' && <Output text={textIn(step.content)} end="first" />}
      <div className={css('cut')}>
        {open !== undefined && isThere && <LinkButton onClick={open}>{t('Open file')}</LinkButton>}
        {showInChanges !== undefined && step.state === 'done' && path !== null && (
          <LinkButton onClick={() => showInChanges(turnId, path)}>{t('Show in changes')}</LinkButton>
        )}
      </div>
    </>
  );
}

/** Line of an edit, if the agent names the places of its edits. */
function lineOf({ locations, response }: Step, parts: number, index: number): number | null {
  const reported = locations.length === parts ? (locations[index]?.line ?? null) : null;
  const patches = listOf(response, 'structuredPatch');
  return reported ?? (patches.length === parts ? figureOf(patches[index], 'newStart') : null);
}

function Web({ step }: { step: Step }) {
  const { actions } = useTranscript();
  const { openAddress } = actions;
  const address = safeAddress(textOf(step.input, 'url') ?? '');
  const asked = askedOfWeb(step);
  const { results, said } = searchResults(textIn(step.content));
  return (
    <>
      {asked !== null && (
        <p className={css('lane-task', 'muted', 'small')}>
          <LongText text={asked} />
        </p>
      )}
      {results.length > 0 && (
        <ul className={css('search-results')}>
          {results.map((result, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: results of a search that has ended.
            <SearchResult key={index} {...result} open={openAddress} />
          ))}
        </ul>
      )}
      {said !== '' ? <Output text={said} end="first" /> : results.length === 0 && <Nothing />}
      {address !== null && openAddress !== undefined && (
        <div className={css('cut')}>
          <LinkButton onClick={() => openAddress(address.whole)}>{t('Open in browser…')}</LinkButton>
        </div>
      )}
    </>
  );
}

interface SearchResultProps {
  title: string;
  address: string;
  open: ((address: string) => void) | undefined;
}

/** A title says what its page likes: the address stands beside it as it is opened. */
function SearchResult({ title, address, open }: SearchResultProps) {
  const safe = safeAddress(address)?.whole ?? null;
  const name = oneLine(title, mostOfTitle);
  return (
    <li>
      {safe === null || open === undefined ? name : <LinkButton onClick={() => open(safe)}>{name}</LinkButton>}
      <span className="muted small mono">
        <LongText text={safe ?? address} />
      </span>
    </li>
  );
}

const mostOfTitle = 200;

function QuestionAsked({ step }: { step: Step }) {
  const answers = answersOf(step);
  const said = textIn(step.content);
  const areKnown = answers.some(({ answer }) => answer !== null);
  return (
    <>
      <dl>
        {answers.map(({ asked, answer }) => (
          <div key={asked}>
            <dt>{asked}</dt>
            <dd>{answer !== null && <LongText text={answer} />}</dd>
          </div>
        ))}
      </dl>
      {/* What the model reads says the same once more. */}
      {said !== '' && !areKnown && <Output text={said} end="first" />}
    </>
  );
}

interface CalledProps {
  said: string;
  server: string | null;
  step: Step;
}

function Called({ said, server, step }: CalledProps) {
  const { input } = step;
  const result = said === '' && step.rawOutput !== null ? JSON.stringify(step.rawOutput, null, 2) : said;
  return (
    <dl>
      {server !== null && (
        <>
          <dt>{t('Server')}</dt>
          <dd>{server}</dd>
        </>
      )}
      {input !== null && Object.keys(input).length > 0 && (
        <>
          <dt>{t('Input')}</dt>
          <dd>
            <Output text={JSON.stringify(input, null, 2)} end="first" />
          </dd>
        </>
      )}
      {result !== '' && (
        <>
          <dt>{t('Result')}</dt>
          <dd>
            <Output text={result} end="first" />
          </dd>
        </>
      )}
    </dl>
  );
}
