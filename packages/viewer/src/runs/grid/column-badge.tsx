/** The letter of a column, in its colour. */
export function ColumnBadge({ letter }: { letter: string }) {
  return <b class={`column-badge badge-${(letter.charCodeAt(0) - 65) % 6}`}>{letter}</b>
}
