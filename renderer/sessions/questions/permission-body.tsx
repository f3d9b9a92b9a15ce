import classNames from 'classnames/bind';
import { type ReactNode, useContext } from 'react';
import type { AskedFile } from '../../../app/api/session-surroundings.ts';
import { t } from '../../../app/language/translate.ts';
import { grouped } from '../../../app/words/numbers.ts';
import { IconButton } from '../../parts/button.tsx';
import { Pencil } from '../../parts/icons.tsx';
import { rich } from '../../parts/rich.tsx';
import { fromHome, isInFolders } from '../paths.ts';
import { useAgentWords } from '../state/hooks.ts';
import { ShownText } from '../text/shown-text.tsx';
import {
  type AskedLines,
  type AskedPermission,
  inputText,
  type PermissionSubject,
  timeLimitWords,
  warningsOf,
} from './asked.ts';
import { AskedFilesContext, useAskedFile } from './asked-files.ts';
import { Amber, overwritesWords } from './change-body.tsx';
import styles from './questions.module.css';

const css = classNames.bind(styles);

interface PermissionBodyProps {
  asked: AskedPermission;
  cwd: string;
  folders: readonly string[];
  /** The difference of a change; null if it is something else. */
  difference: ReactNode;
  /** Null: what is asked can't be changed. */
  change: (() => void) | null;
}

/** What exactly will be done, with nothing left out. */
export function PermissionBody({ asked, cwd, folders, difference, change }: PermissionBodyProps) {
  const { subject } = asked;
  const files = useContext(AskedFilesContext);
  const overwrites = subject.kind === 'write' ? overwritesWords(files) : null;
  return (
    <>
      {difference}
      <SubjectBody asked={asked} cwd={cwd} change={change} />
      {overwrites !== null && <Amber>{overwrites}</Amber>}
      {'path' in subject && <Outside path={subject.path} folders={folders} />}
      {Object.keys(asked.rest).length > 0 && <Input of={asked.rest} />}
    </>
  );
}

function Outside({ path, folders }: { path: string; folders: readonly string[] }) {
  const file = useAskedFile(path);
  const seemsInside = isInFolders(path, folders);
  if (!(file?.isOutside ?? !seemsInside)) return null;
  return (
    <>
      <Amber>{t('Outside of this session’s folder')}</Amber>
      {file?.leadsTo != null && (
        <p className={css('ask-note', 'small')}>
          {rich('A link leads from there to {path}.', {
            path: (
              <span className="mono">
                <ShownText text={file.leadsTo} />
              </span>
            ),
          })}
        </p>
      )}
    </>
  );
}

function SubjectBody({ asked, cwd, change }: Pick<PermissionBodyProps, 'asked' | 'cwd' | 'change'>) {
  const { subject } = asked;
  const agent = useAgentWords();
  switch (subject.kind) {
    case 'command':
      return <Command subject={subject} cwd={cwd} change={change} />;
    case 'page':
      return (
        <>
          <Shown>
            <Address text={subject.address} />
          </Shown>
          {subject.prompt !== null && (
            <p>
              {rich('{agent} asks the page: {prompt}', {
                agent: agent.name,
                prompt: <ShownText text={subject.prompt} />,
              })}
            </p>
          )}
        </>
      );
    case 'search-web':
      return (
        <Shown>
          <ShownText text={subject.query} />
        </Shown>
      );
    case 'read':
      return <Lines subject={subject} />;
    case 'subagent':
      return (
        <Shown>
          <ShownText text={subject.task} />
        </Shown>
      );
    case 'mcp':
      return (
        <>
          {Object.keys(asked.input).length === 0 && <p className="muted">{t('It gets no input.')}</p>}
          {subject.says !== null && (
            <p className="muted">
              {rich('The server’s message: {message}', { message: <ShownText text={subject.says} /> })}
            </p>
          )}
        </>
      );
    default:
      return null;
  }
}

function Command({
  subject,
  cwd,
  change,
}: {
  subject: Extract<PermissionSubject, { kind: 'command' }>;
  cwd: string;
  change: (() => void) | null;
}) {
  const agent = useAgentWords();
  const limit = timeLimitWords(subject.timeLimit);
  const overwrites = overwritesWords(useContext(AskedFilesContext));
  const warnings = [...warningsOf(subject), ...(overwrites === null ? [] : [overwrites])];
  return (
    <>
      <Shown>
        <ShownText text={subject.command} />
        {change !== null && (
          <IconButton size="small" label={t('Change before running')} icon={<Pencil size={14} />} onClick={change} />
        )}
      </Shown>
      {warnings.map((warning) => (
        <Amber key={warning}>{warning}</Amber>
      ))}
      <dl className={css('ask-facts', 'small')}>
        <dt>{t('Runs in')}</dt>
        <dd className="mono" title={cwd}>
          <ShownText text={fromHome(cwd)} />
        </dd>
        {subject.description !== null && (
          <>
            <dt>{t('{agent} says', { agent: agent.name })}</dt>
            <dd>
              <ShownText text={subject.description} />
            </dd>
          </>
        )}
        {limit !== null && (
          <>
            <dt>{t('Time limit')}</dt>
            <dd>{limit}</dd>
          </>
        )}
      </dl>
    </>
  );
}

/** Where the focus of a screen reader finds what is asked. */
function Shown({ children }: { children: ReactNode }) {
  return (
    <div className={css('ask-command')} data-testid="question-command">
      {children}
    </div>
  );
}

function Input({ of }: { of: Readonly<Record<string, unknown>> }) {
  return (
    <Shown>
      <ShownText text={inputText(of)} />
    </Shown>
  );
}

/** The host in bold: an address is judged by it. */
export function Address({ text }: { text: string }) {
  const host = URL.canParse(text) ? new URL(text).host : '';
  const at = host === '' ? -1 : text.indexOf(host);
  // A host with other letters comes out of `URL` in its own spelling, which is shown beside it.
  if (at < 0) {
    return (
      <>
        <ShownText text={text} />
        {host !== '' && (
          <>
            {' '}
            (<b>{host}</b>)
          </>
        )}
      </>
    );
  }
  return (
    <>
      <ShownText text={text.slice(0, at)} />
      <b>{host}</b>
      <ShownText text={text.slice(at + host.length)} />
    </>
  );
}

function Lines({ subject: { path, lines } }: { subject: Extract<PermissionSubject, { kind: 'read' }> }) {
  const file = useAskedFile(path);
  return <p>{linesWords(lines, file)}</p>;
}

/** `Lines 40-96 of 212`, `All 212 lines`; null if nothing is known of it. */
function linesWords(lines: AskedLines | null, file: AskedFile | null): string | null {
  const of = file?.lines == null ? null : grouped(file.lines);
  if (lines !== null) return linesAsked(lines, of);
  if (of !== null) return of === '1' ? t('Its only line') : t('All {count} lines', { count: of });
  return file?.state === 'missing' ? t('There is no such file.') : null;
}

function linesAsked({ first, last }: AskedLines, all: string | null): string {
  if (last === null)
    return all === null ? t('Lines from {first} on', { first }) : t('Lines from {first} on of {all}', { first, all });
  return all === null
    ? t('Lines {first}-{last}', { first, last })
    : t('Lines {first}-{last} of {all}', { first, last, all });
}
