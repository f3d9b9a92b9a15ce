const plainName = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Names of tools for an API that takes only `[a-zA-Z0-9_-]{1,64}`. A name that does not fit gets a short one, the same
 * in every request (prompt caches live on equal bytes), and `original` leads back. Lives as long as one request.
 */
export class ToolNames {
  readonly #short = new Map<string, string>();
  readonly #original = new Map<string, string>();

  /** `names` are all that the request lists: a made-up name never equals one of them. */
  constructor(names: Iterable<string> = []) {
    for (const name of names) if (plainName.test(name)) this.#original.set(name, name);
  }

  /** The name to send. */
  shorten(name: string): string {
    if (plainName.test(name)) return name;
    const known = this.#short.get(name);
    if (known !== undefined) return known;
    const short = this.#free(name);
    this.#short.set(name, short);
    this.#original.set(short, name);
    return short;
  }

  /** The client's name for one that came back; names that were never shortened stay as they are. */
  original(name: string): string {
    return this.#original.get(name) ?? name;
  }

  /** How many names had to be shortened. */
  get shortened(): number {
    return this.#short.size;
  }

  #free(name: string): string {
    const readable = name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 48);
    for (let round = 0; ; round++) {
      const short = `${readable}_${hash(`${name}${round === 0 ? '' : round}`)}`;
      if (!this.#original.has(short)) return short;
    }
  }
}

/** FNV-1a, 32 bits, as 8 hex digits: enough to tell the names of one request apart. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    value ^= text.charCodeAt(at);
    value = Math.imul(value, 0x01000193);
  }
  return (value >>> 0).toString(16).padStart(8, '0');
}
