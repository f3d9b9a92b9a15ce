/** Beside the note that other users can read a file that the local key will stand in. */
export function PrivateChoice({ checked, change }: { checked: boolean; change: (checked: boolean) => void }) {
  return (
    <label className="choice-alone">
      <input type="checkbox" checked={checked} onChange={(event) => change(event.target.checked)} /> Make the file
      readable for you alone (mode 0600)
    </label>
  );
}
