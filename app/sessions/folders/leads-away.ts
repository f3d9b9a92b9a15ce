/**
 * A path of another machine. It is not looked at by itself: on Windows that alone would hand the person's sign-in to
 * that machine.
 */
export function leadsAway(path: string, platform: NodeJS.Platform = process.platform): boolean {
  if (platform === 'win32') return /^[\\/]{2}/.test(path);
  return platform === 'darwin' && /^\/(net|Network)\//.test(path);
}
