/** A place of the window, or a page in the browser. */
export type Opens = { place: string } | { url: string } | null;

export interface SystemNotice {
  /**
   * The same cause is not told twice within an hour. Null: it answers something that a person just did, and is always
   * told.
   */
  cause: string | null;
  title: string;
  body: string;
  /** What a click on it opens. */
  opens: Opens;
}
