/**
 * A hash of the calls and their shapes (`app/api/`), put in by the build. A Jumpseat checks each answer before it goes
 * out. By this, a command knows that it was checked by the same shapes, and needn’t load them to check it again. Null
 * in the sources, which may change while a Jumpseat runs.
 */
export const contract: string | null = null;
