import { Info } from './icons.tsx';

export function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <ul className="notes">
      {notes.map((note) => (
        <li key={note}>
          <Info size={14} /> <span>{note}</span>
        </li>
      ))}
    </ul>
  );
}
