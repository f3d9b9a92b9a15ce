import type { Absence } from '../../app/api/models.ts';

/** Why a model is not here, and what to do about it. */
export function AbsenceText({ absence }: { absence: Absence | null }) {
  if (absence === null) return null;
  return (
    <p className="absence">
      {absence.text} {absence.mend !== null && <span className="muted">{absence.mend}</span>}
    </p>
  );
}
