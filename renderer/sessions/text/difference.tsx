import { Fragment, memo, type ReactNode, useMemo, useState } from 'react';
import { grouped } from '../../../app/words/numbers.ts';
import { Button, LinkButton } from '../../parts/button.tsx';
import {
  type DifferenceLine,
  type DifferenceSource,
  type DifferenceWishes,
  differenceLines,
} from './difference-lines.ts';
import { ShownText } from './shown-text.tsx';

const firstShown = 400;
const signs = { added: '+', removed: '−', same: ' ' } as const;

export interface DifferenceProps {
  /** The file, for screen readers. */
  path: string;
  source: DifferenceSource;
  /** Where it is too large to be shown here. */
  openFile?: () => void;
  /** Beside the line above a place; gets its `@@` line. */
  hunkAction?: ((header: string) => ReactNode) | undefined;
  /** A person has to judge it: however large it is, all of it is there, and nothing in it hides. */
  isJudged?: boolean;
}

/** A difference line by line, with numbers and signs; changed words are marked. */
export const Difference = memo(function Difference(props: DifferenceProps) {
  const { path, source, openFile, hunkAction, isJudged = false } = props;
  const hasHeaders = hunkAction !== undefined;
  const lines = useMemo(() => readable(source, { isWhole: isJudged, hasHeaders }), [source, isJudged, hasHeaders]);
  const [isWhole, setWhole] = useState(isJudged);
  if (lines === null) {
    return (
      <p className="patch-refused">
        Too large to compare here.
        {openFile !== undefined && <Button onClick={openFile}>Open file</Button>}
      </p>
    );
  }
  const shown = isWhole || lines.length <= firstShown ? lines : lines.slice(0, firstShown);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard. */}
      <section className="patch" tabIndex={0} aria-label={`Difference of ${path}`}>
        <table>
          <tbody>
            {shown.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of a difference that stays as it is.
              <Line key={index} line={line} hunkAction={hunkAction} isJudged={isJudged} />
            ))}
          </tbody>
        </table>
      </section>
      {shown.length < lines.length && (
        <LinkButton className="show-all" onClick={() => setWhole(true)}>
          Show all {grouped(lines.length)} lines
        </LinkButton>
      )}
    </>
  );
});

/** What is no patch is shown as nothing that could be compared. */
function readable(source: DifferenceSource, wishes: DifferenceWishes): DifferenceLine[] | null {
  try {
    return differenceLines(source, wishes);
  } catch {
    return null;
  }
}

interface LineProps extends Pick<DifferenceProps, 'hunkAction'> {
  line: DifferenceLine;
  isJudged: boolean;
}

function Line({ line, hunkAction, isJudged }: LineProps) {
  if (line.look === 'gap') {
    return (
      <tr className="patch-gap">
        <td colSpan={4}>
          {isJudged ? <ShownText text={line.place} /> : line.place}
          {hunkAction?.(line.header)}
        </td>
      </tr>
    );
  }
  const { look, before, after, parts } = line;
  return (
    <tr className={look}>
      <td className="place">{before}</td>
      <td className="place">{after}</td>
      <td className="sign">
        <span aria-hidden="true">{signs[look]}</span>
        {look !== 'same' && <span className="sr">{look}</span>}
      </td>
      <td className="line">
        {parts.map(({ text, isChanged }, index) => {
          const shown = isJudged ? <ShownText text={text.replace(/\r$/, '')} /> : text;
          const Piece = isChanged ? 'mark' : Fragment;
          // biome-ignore lint/suspicious/noArrayIndexKey: as above.
          return <Piece key={index}>{shown}</Piece>;
        })}
      </td>
    </tr>
  );
}
