import { memo, useRef } from 'react';
import { LongText } from './long-text.tsx';
import { mostFormatted, type ParsedMarkdown, parseMarkdown } from './markdown-blocks.ts';
import { MarkdownNode } from './markdown-node.tsx';
import type { TextActions } from './text-actions.ts';

export interface MarkdownProps {
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
      <div className="answer" dir="auto">
        {isOpen && <p className="muted small">Formatted when it is complete.</p>}
        <p className="unformatted">
          <LongText text={text} />
        </p>
      </div>
    );
  }
  parsed.current = parseMarkdown(text, isOpen, parsed.current);
  const { blocks } = parsed.current;
  return (
    <div className={isOpen ? 'answer open' : 'answer'} aria-busy={isOpen || undefined}>
      {blocks.map(({ at, token }, index) => (
        <MarkdownNode key={at} token={token} isOpen={isOpen && index === blocks.length - 1} actions={actions} />
      ))}
      {isOpen && blocks.length === 0 && <p />}
    </div>
  );
});
