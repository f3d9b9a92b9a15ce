import classNames from 'classnames/bind';
import type { MarkedToken, Token, Tokens } from 'marked';
import { createElement, Fragment, memo, type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { t } from '../../../app/language/translate.ts';
import { LinkButton } from '../../parts/button.tsx';
import { Code } from './code.tsx';
import { LongText } from './long-text.tsx';
import { mostFormatted, type ParsedMarkdown, parseMarkdown, withCharacters } from './markdown-blocks.ts';
import type { PathsThere } from './paths-there.ts';
import { pathIn, safeAddress, withPaths } from './safe-address.tsx';
import styles from './text.module.css';

const css = classNames.bind(styles);

interface MarkdownProps {
  text: string;
  /** More of it may come. */
  isOpen?: boolean;
  actions?: TextActions;
}

const noActions: TextActions = {};

/** Words of an agent, as a known set of elements. Nothing of them is ever set as markup. */
export const Markdown = memo(function Markdown({ text, isOpen = false, actions = noActions }: MarkdownProps) {
  const parsed = useRef<ParsedMarkdown | null>(null);
  if (text.length > mostFormatted) {
    return (
      <div className={css('answer')} dir="auto">
        {isOpen && <p className="muted small">{t('Formatted when it is complete.')}</p>}
        <p className={css('unformatted')}>
          <LongText text={text} />
        </p>
      </div>
    );
  }
  parsed.current = parseMarkdown(text, isOpen, parsed.current);
  const { blocks } = parsed.current;
  return (
    <div className={css('answer', { open: isOpen })} aria-busy={isOpen || undefined}>
      {blocks.map(({ at, token }, index) => (
        <MarkdownNode key={at} token={token} isOpen={isOpen && index === blocks.length - 1} actions={actions} />
      ))}
      {isOpen && blocks.length === 0 && <p />}
    </div>
  );
});

interface NodeProps {
  token: Token;
  /** True for the last block of an unfinished text. */
  isOpen: boolean;
  actions: TextActions;
}

const isMarked = (token: Token): token is MarkedToken => token.type !== 'unformatted';

/** One block. */
const MarkdownNode = memo(function MarkdownNode({ token, isOpen, actions }: NodeProps): ReactNode {
  if (!isMarked(token)) return <p className={css('unformatted')}>{token.raw}</p>;
  const inner = (tokens: Token[] | undefined): ReactNode => nodesOf(tokens ?? [], actions);
  switch (token.type) {
    case 'heading':
      // The window has the first two levels.
      return createElement(`h${Math.min(6, token.depth + 2)}`, { dir: 'auto' }, inner(token.tokens));
    case 'paragraph':
      return <p dir="auto">{inner(token.tokens)}</p>;
    case 'text':
      return <p dir="auto">{inner(token.tokens ?? [token])}</p>;
    case 'code':
      return <Code text={token.text} language={languageOf(token)} isOpen={isOpen} />;
    case 'blockquote':
      return <blockquote>{blocksOf(token.tokens, isOpen, actions)}</blockquote>;
    case 'list':
      return <List list={token} isOpen={isOpen} actions={actions} />;
    case 'table':
      return <Table table={token} inner={inner} />;
    case 'hr':
      return <hr />;
    case 'html':
      return <p className={css('unformatted')}>{token.raw.trimEnd()}</p>;
    case 'space':
    case 'def':
      return null;
    default:
      return <p dir="auto">{inner([token])}</p>;
  }
});

function languageOf({ lang }: Tokens.Code): string | null {
  const word =
    withCharacters(lang ?? '')
      .trim()
      .split(/[\s,{]/)[0] ?? '';
  return word === '' ? null : word;
}

function blocksOf(tokens: readonly Token[], isOpen: boolean, actions: TextActions): ReactNode {
  // Blocks of a block never change their order.
  return tokens.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: see above.
    <MarkdownNode key={index} token={token} isOpen={isOpen && index === tokens.length - 1} actions={actions} />
  ));
}

function List({ list, isOpen, actions }: { list: Tokens.List; isOpen: boolean; actions: TextActions }) {
  const items = list.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: as above.
    <li key={index} className={css({ task: item.task })} dir="auto">
      {item.task && (
        <input
          type="checkbox"
          checked={item.checked ?? false}
          disabled
          aria-label={item.checked ? t('Done') : t('To do')}
        />
      )}
      {item.loose
        ? blocksOf(item.tokens, isOpen && index === list.items.length - 1, actions)
        : tight(item.tokens, isOpen && index === list.items.length - 1, actions)}
    </li>
  ));
  if (!list.ordered) return <ul>{items}</ul>;
  return <ol start={list.start === '' ? 1 : Math.min(list.start, 1_000_000_000)}>{items}</ol>;
}

/** The words of an item without the room of a paragraph around them. */
function tight(tokens: readonly Token[], isOpen: boolean, actions: TextActions): ReactNode {
  return tokens.map((token, index) => {
    const key = `${index}`;
    if (token.type === 'checkbox') return null;
    if (isMarked(token) && (token.type === 'text' || token.type === 'paragraph')) {
      return <span key={key}>{nodesOf(token.tokens ?? [token], actions)}</span>;
    }
    return <MarkdownNode key={key} token={token} isOpen={isOpen && index === tokens.length - 1} actions={actions} />;
  });
}

function Table({ table, inner }: { table: Tokens.Table; inner: (tokens: Token[]) => ReactNode }) {
  const cell = ({ tokens, align }: Tokens.TableCell, index: number, name: 'th' | 'td'): ReactNode =>
    createElement(
      name,
      { key: index, dir: 'auto', ...(align === null ? {} : { style: { textAlign: align } }) },
      inner(tokens),
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
    // biome-ignore lint/a11y/useSemanticElements: a field set holds fields.
    <div className={css('table-box')} role="group" aria-label={t('Table')} tabIndex={0}>
      <table>
        <thead>
          <tr>{table.header.map((head, index) => cell(head, index, 'th'))}</tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            <tr key={index}>{row.map((data, column) => cell(data, column, 'td'))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const lineBreak = /^<br\s*\/?>$/i;

function nodesOf(tokens: readonly Token[], actions: TextActions): ReactNode {
  return tokens.map((token, index) => nodeOf(token, `${index}`, actions));
}

/** Nested links in a link are text. */

/** A text whose paths lead to their files. */
function pathsIn(text: string, isCode: boolean, actions: TextActions): ReactNode {
  if (actions.openPath === undefined) return text;
  return withPaths(text, isCode).map((part, index) =>
    part.isPath ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other identity and do not move.
      <MarkdownLink key={index} href={part.text} actions={actions}>
        {part.text}
      </MarkdownLink>
    ) : (
      part.text
    ),
  );
}

function nodeOf(token: Token, key: string, actions: TextActions): ReactNode {
  if (!isMarked(token)) return token.raw;
  switch (token.type) {
    case 'strong':
      return <strong key={key}>{nodesOf(token.tokens, actions)}</strong>;
    case 'em':
      return <em key={key}>{nodesOf(token.tokens, actions)}</em>;
    case 'del':
      return <del key={key}>{nodesOf(token.tokens, actions)}</del>;
    case 'codespan':
      return <code key={key}>{pathsIn(token.text, true, actions)}</code>;
    case 'br':
      return <br key={key} />;
    case 'link':
      return (
        <MarkdownLink key={key} href={withCharacters(token.href)} actions={actions}>
          {nodesOf(token.tokens, noActions)}
        </MarkdownLink>
      );
    case 'image':
      return (
        <MarkdownImage
          key={key}
          address={withCharacters(token.href)}
          says={withCharacters(token.text)}
          actions={actions}
        />
      );
    case 'html':
      return lineBreak.test(token.raw) ? <br key={key} /> : token.raw;
    case 'text':
      return 'tokens' in token && token.tokens !== undefined ? (
        <span key={key}>{nodesOf(token.tokens, actions)}</span>
      ) : (
        <Fragment key={key}>{pathsIn(withCharacters(token.text), false, actions)}</Fragment>
      );
    case 'escape':
      return token.text;
    case 'checkbox':
      return null;
    default:
      return token.raw;
  }
}

/** Asks before it opens a link. Uses no element with an address: a browser would open it unasked. */
function MarkdownLink({ href, actions, children }: { href: string; actions: TextActions; children: ReactNode }) {
  const { openAddress, openPath } = actions;
  const address = safeAddress(href);
  const file = address === null ? pathIn(href) : null;
  if (address !== null && openAddress !== undefined) {
    return (
      <LinkButton title={address.whole} onClick={() => openAddress(address.whole)}>
        {children}
      </LinkButton>
    );
  }
  if (file !== null && openPath !== undefined) {
    const run = (): void => openPath(file.path, file.line);
    return (
      <PathLink path={file.path} there={actions.there} run={run}>
        {children}
      </PathLink>
    );
  }
  return <span title={href}>{children}</span>;
}

interface PathLinkProps {
  path: string;
  there: PathsThere | undefined;
  run: () => void;
  children: ReactNode;
}

/** Leads to a file that is there. */
function PathLink({ path, there, run, children }: PathLinkProps) {
  const listen = there?.listen ?? listenToNothing;
  const isThere = useSyncExternalStore(listen, () => there?.has(path) ?? true);
  useEffect(() => there?.want(path), [there, path]);
  if (!isThere) return children;
  return (
    <LinkButton title={path} onClick={run}>
      {children}
    </LinkButton>
  );
}

const nothing = (): void => undefined;
const listenToNothing = (): (() => void) => nothing;

/** Nothing is fetched for words of an agent: an address can carry what it read. */
function MarkdownImage({ address, says, actions }: { address: string; says: string; actions: TextActions }) {
  const { openAddress } = actions;
  const found = safeAddress(address);
  return (
    <span className={css('no-image')}>
      {says !== '' && <>{says} · </>}
      {found === null ? t('Image not loaded') : t('Image not loaded: {host}', { host: found.host })}
      {found !== null && openAddress !== undefined && (
        <LinkButton onClick={() => openAddress(found.whole)}>{t('Open in browser…')}</LinkButton>
      )}
    </span>
  );
}

/** What words of an agent can lead to. Without an action they are text and nothing else. */
export interface TextActions {
  /** Opens an address outside; the person was asked before. */
  openAddress?: (address: string) => void;
  /** Opens a file with the chosen program. */
  openPath?: (path: string, line: number | null) => void;
  /** Paths that are links; absent: all. */
  there?: PathsThere;
}
