import type { ReactNode } from 'react';
import { IconButton } from '../../parts/button.tsx';
import { Pencil, Warning } from '../../parts/icons.tsx';
import { Difference } from '../text/difference.tsx';
import { ShownText } from '../text/shown-text.tsx';
import { type AskedDifference, type AskedPermission, inputText, type Wish } from './asked.ts';
import { timeLimitWords, warningsOf } from './command-facts.ts';
import { isInFolders, shownPath } from './path-words.ts';

export interface PermissionBodyProps {
  asked: AskedPermission;
  cwd: string;
  folders: readonly string[];
  /** Null: what is asked can't be changed. */
  change: (() => void) | null;
}

/** What exactly will be done, with nothing left out. */
export function PermissionBody({ asked, cwd, folders, change }: PermissionBodyProps) {
  const { wish } = asked;
  const path = 'path' in wish ? wish.path : null;
  return (
    <>
      <WishBody asked={asked} cwd={cwd} change={change} />
      {path !== null && !isInFolders(path, folders) && <Amber>outside of this session’s folder</Amber>}
      {Object.keys(asked.rest).length > 0 && <Input of={asked.rest} />}
    </>
  );
}

function WishBody({ asked, cwd, change }: Pick<PermissionBodyProps, 'asked' | 'cwd' | 'change'>) {
  const { wish } = asked;
  switch (wish.kind) {
    case 'command':
      return <Command wish={wish} cwd={cwd} change={change} />;
    case 'edit':
    case 'write':
      return <Differences of={wish.differences} cwd={cwd} />;
    case 'page':
      return (
        <>
          <Shown>
            <Address text={wish.address} />
          </Shown>
          {wish.prompt !== null && (
            <p>
              Claude asks it: <ShownText text={wish.prompt} />
            </p>
          )}
        </>
      );
    case 'search-web':
      return (
        <Shown>
          <ShownText text={wish.query} />
        </Shown>
      );
    case 'read':
      return wish.lines === null ? null : <p>Lines {wish.lines}</p>;
    case 'subagent':
      return (
        <Shown>
          <ShownText text={wish.task} />
        </Shown>
      );
    case 'mcp':
      return (
        <>
          {Object.keys(asked.input).length === 0 && <p className="muted">It is given no input.</p>}
          {wish.says !== null && (
            <p className="muted">
              Says the server: <ShownText text={wish.says} />
            </p>
          )}
        </>
      );
    default:
      return null;
  }
}

function Command({
  wish,
  cwd,
  change,
}: {
  wish: Extract<Wish, { kind: 'command' }>;
  cwd: string;
  change: (() => void) | null;
}) {
  const limit = timeLimitWords(wish.timeLimit);
  const warnings = warningsOf(wish);
  return (
    <>
      <Shown>
        <ShownText text={wish.command} />
        {change !== null && <IconButton label="Change before running" icon={<Pencil size={14} />} onClick={change} />}
      </Shown>
      {warnings.map((warning) => (
        <Amber key={warning}>{warning}</Amber>
      ))}
      <dl className="ask-facts">
        <dt>Runs in</dt>
        <dd className="mono">{cwd}</dd>
        {wish.description !== null && (
          <>
            <dt>Claude says</dt>
            <dd>
              <ShownText text={wish.description} />
            </dd>
          </>
        )}
        {limit !== null && (
          <>
            <dt>Time limit</dt>
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
    <div className="ask-command" data-testid="question-command">
      {children}
    </div>
  );
}

function Amber({ children }: { children: ReactNode }) {
  return (
    <p className="ask-warning">
      <Warning size={14} /> {children}
    </p>
  );
}

export function Input({ of }: { of: Readonly<Record<string, unknown>> }) {
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

function Differences({ of, cwd }: { of: readonly AskedDifference[]; cwd: string }) {
  return of.map(({ path, source }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: one file may be changed in several places, which do not move.
    <div key={at} className="ask-difference" data-testid="question-command">
      {of.length > 1 && <p className="ask-path mono">{shownPath(path, cwd)}</p>}
      <Difference path={shownPath(path, cwd)} source={source} isJudged />
    </div>
  ));
}
