import { IconButton } from '../../parts/button.tsx';
import { Copy } from '../../parts/icons.tsx';
import { copyText } from '../../state/copy-text.ts';
import { useServices } from '../../state/services.ts';

/** Copies a text, which is made at the click. */
export function CopyButton({ label, text }: { label: string; text: () => string }) {
  const { store } = useServices();
  return <IconButton label={label} icon={<Copy size={14} />} onClick={() => void copyText(store, text())} />;
}
