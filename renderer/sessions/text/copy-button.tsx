import { IconButton, LinkButton } from '../../parts/button.tsx';
import { Copy } from '../../parts/icons.tsx';
import { copyText } from '../../state/copy-text.ts';
import { useServices } from '../../state/services.ts';

interface CopyProps {
  label: string;
  /** Made at the click. */
  text: () => string;
}

export function CopyButton({ label, text }: CopyProps) {
  const { store } = useServices();
  return (
    <IconButton size="small" label={label} icon={<Copy size={14} />} onClick={() => void copyText(store, text())} />
  );
}

/** The same in words. */
export function CopyLink({ label, text }: CopyProps) {
  const { store } = useServices();
  return <LinkButton onClick={() => void copyText(store, text())}>{label}</LinkButton>;
}
