export interface NewSessionProps {
  /** Where it is to begin; null: where the newest session runs. */
  folder: string | null;
}

/** A session before its first message: its folder, the field, and folders of earlier ones. */
export function NewSession({ folder }: NewSessionProps) {
  return <div className="begin" data-folder={folder} />;
}
