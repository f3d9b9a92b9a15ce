import { rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A hook of electron-builder, which takes a given Electron as it is: the app that shows when there is no other stays
 * out of a package.
 */
export default function cleanElectron({ appOutDir, packager }) {
  rmSync(join(appOutDir, 'version'), { force: true });
  rmSync(join(packager.getResourcesDir(appOutDir), 'default_app.asar'), { force: true });
}
