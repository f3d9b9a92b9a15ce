/** What words of an agent can lead to. Without an action they are text and nothing else. */
export interface TextActions {
  /** Opens an address outside; the person was asked before. */
  openAddress?: (address: string) => void;
  /** Opens a file with the chosen program. */
  openPath?: (path: string, line: number | null) => void;
}
