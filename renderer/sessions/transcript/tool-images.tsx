import { useState } from 'react';
import { bytes } from '../../../app/words/numbers.ts';
import type { StepContent } from '../state/conversation.ts';

const types = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
/** CSS pixels of a side; what is larger is not shown. */
const mostPixels = 4_096;

/** Pictures that a tool gave. They are decoded here and never fetched. */
export function ToolImages({ content }: { content: readonly StepContent[] }) {
  return content.map((part, index) =>
    part.type === 'image' && types.has(part.mimeType) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a result keep their order.
      <ToolImage key={index} mimeType={part.mimeType} data={part.data} bytes={part.bytes} />
    ) : null,
  );
}

interface ToolImageProps {
  mimeType: string;
  data: string;
  /** It was too large to keep. */
  bytes?: number | undefined;
  small?: boolean;
}

export function ToolImage({ mimeType, data, bytes: size, small = false }: ToolImageProps) {
  const [isRefused, setRefused] = useState(false);
  if (size !== undefined) return <p className="cut">An image of {bytes(size)} isn’t kept.</p>;
  if (isRefused || !types.has(mimeType)) return <p className="cut">This image can’t be shown.</p>;
  return (
    <img
      className={small ? 'thumb' : 'tool-image'}
      src={`data:${mimeType};base64,${data}`}
      alt={small ? 'Attached image' : 'Image of the tool'}
      onError={() => setRefused(true)}
      onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
        if (Math.max(naturalWidth, naturalHeight) > mostPixels) setRefused(true);
      }}
    />
  );
}
