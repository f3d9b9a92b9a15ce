import classNames from 'classnames/bind';
import { lazy, Suspense, useRef, useState } from 'react';
import { t, translated } from '../../app/language/translate.ts';
import { typedCommand } from '../bridge/typed-command.ts';
import { Button } from '../parts/button.tsx';
import { Key, Warning } from '../parts/icons.tsx';
import { Palette } from '../parts/palette.tsx';
import { Empty, Loading, useWindowTitle } from '../parts/view-frame.tsx';
import { writeRoute } from '../state/routes.ts';
import { useServices, useWindow } from '../state/services.ts';
import { BannerSlot, QuitBanner } from './banner.tsx';
import { FaultBoundary } from './fault.tsx';
import { useOpeningPlace } from './opening-place.ts';
import { navigation, otherPlaces } from './places.tsx';
import { QuestionDialog } from './question-dialog.tsx';
import { SetupSlot } from './setup-dialog.tsx';
import styles from './shell.module.css';
import { Sidebar } from './sidebar.tsx';
import { StorageSlot } from './storage-dialog.tsx';
import { Toasts } from './toasts.tsx';
import { WaySlot } from './way-dialog.tsx';
import { useWindowShortcuts } from './window-shortcuts.ts';

const css = classNames.bind(styles);

/** Loaded when it is opened, with what Sessions needs. */
const WindowPalette = lazy(() => import('./palette.tsx'));

/** The window: sidebar, banner, one view. */
export function Shell() {
  const place = useWindow(({ route }) => route.place);
  const address = useWindow(({ route }) => writeRoute(route));
  const known = useWindow(({ app }) => app !== null);
  const closed = useWindow(({ connection }) => connection.kind === 'closed');
  const zone = useWindow(({ preferences }) => preferences?.timeZone ?? 'local');
  const { store } = useServices();
  const [isSearching, setSearching] = useState(false);
  useWindowShortcuts(() => setSearching(true));
  useOpeningPlace();
  const entry = [...navigation, ...otherPlaces].find((one) => one.place === place);
  // Sessions is named after the session that it shows.
  useWindowTitle(entry === undefined || place === 'sessions' ? null : translated(entry.title));
  if (closed) return <ClosedDoor />;
  if (!known) return <Opening />;
  if (entry === undefined) return null;
  const View = entry.view;
  const title = translated(entry.title);
  const frameless = 'frameless' in entry && entry.frameless;
  return (
    <div className={css('window', { frameless: frameless })}>
      <button type="button" className={css('skip')} onClick={() => document.getElementById('main')?.focus()}>
        {t('Skip to {title}', { title })}
      </button>
      {!frameless && <Sidebar />}
      <main id="main" className={css('main')} tabIndex={-1}>
        <BannerSlot />
        <QuitBanner />
        {/* Times are drawn anew when their zone changes. */}
        <FaultBoundary key={`${place} ${zone}`} store={store} where={title} address={address}>
          <Suspense fallback={<Loading />}>
            <View />
          </Suspense>
        </FaultBoundary>
      </main>
      <Toasts />
      <QuestionDialog />
      <SetupSlot />
      <WaySlot />
      <StorageSlot />
      {isSearching && <SearchSlot close={() => setSearching(false)} />}
      <LiveRegion />
    </div>
  );
}

/** The field is there at once and keeps what is typed and entered while the rest loads. */
function SearchSlot({ close }: { close: () => void }) {
  const typed = useRef({ words: '', isEntered: false });
  const label = t('Search sessions, commands and settings');
  return (
    <Suspense fallback={<Palette {...{ label, close, typed }} none={t('Loading…')} offered={() => []} />}>
      <WindowPalette close={close} typed={typed} />
    </Suspense>
  );
}

function LiveRegion() {
  const polite = useWindow((state) => state.polite);
  return (
    <div className="sr" aria-live="polite">
      {polite}
    </div>
  );
}

/** Nothing is known yet: still at first, then that it loads, or that the app cannot be reached. */
function Opening() {
  const failure = useWindow((state) => state.failure);
  const { feed } = useServices();
  return (
    <main className={css('main')} aria-busy={failure === null}>
      {failure === null ? (
        <Loading since={0} />
      ) : (
        <Empty
          icon={<Warning size={24} />}
          title={t('Jumpseat isn’t answering')}
          actions={
            <Button size="large" onClick={feed.tryAgain}>
              {t('Try again')}
            </Button>
          }
        >
          {failure}
        </Empty>
      )}
    </main>
  );
}

function ClosedDoor() {
  return (
    <main className={css('main')}>
      <Empty icon={<Key size={24} />} title={t('This page was opened with a link that has expired.')}>
        {t('Run “{command} dashboard” in a terminal for a new link. The window of the tray app needs none.', {
          command: typedCommand(),
        })}
      </Empty>
    </main>
  );
}
