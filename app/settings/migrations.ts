type SettingsStep = (file: Readonly<Record<string, unknown>>) => Record<string, unknown>;

/**
 * Pure. `settingsSteps[0]` turns a file of version 1 into one of version 2, and so on. A step stays as it is once it
 * was released.
 */
export const settingsSteps: readonly SettingsStep[] = [];

/** The version that a file says it has. Without one it is the first: a hand-written file of a few keys is fine. */
export function versionOf(file: Readonly<Record<string, unknown>>): number {
  const version = file.version;
  return typeof version === 'number' && Number.isInteger(version) && version > 0 ? version : 1;
}

/** Brings a file up to the newest version; a file of a newer version is left as it is. */
export function migrateSettings(
  file: Readonly<Record<string, unknown>>,
  steps: readonly SettingsStep[] = settingsSteps,
): Record<string, unknown> {
  const from = versionOf(file);
  let current: Record<string, unknown> = { ...file };
  for (let version = from; version <= steps.length; version++) {
    const step = steps[version - 1];
    if (step) current = { ...step(current), version: version + 1 };
  }
  return current;
}
