import { Dialog } from '../../parts/dialog.tsx';
import { safeAddress } from './safe-address.ts';

/** Asks before an address that an agent wrote is opened. Hosts of look-alike letters stand as `xn--…`. */
export function AddressDialog(props: { address: string; open: (address: string) => void; close: () => void }) {
  const { address, open, close } = props;
  const found = safeAddress(address);
  if (found === null) return null;
  return (
    <Dialog
      title="Open this address?"
      close={close}
      action={{
        label: 'Open',
        run: () => {
          close();
          open(found.whole);
        },
      }}
    >
      <p className="address mono">
        {found.whole.slice(0, found.at)}
        <b>{found.host}</b>
        {found.whole.slice(found.at + found.host.length)}
      </p>
    </Dialog>
  );
}
