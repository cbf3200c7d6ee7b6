import { visibleText } from '../prompt/visible-text.tsx'
import { partWords } from '../words/parts.ts'

/** What a link names and is not here: said above what is shown instead. */
export function NotHere({ missing }: { missing: readonly (readonly [what: string, name: string | undefined])[] }) {
  const told = missing.filter((one): one is [string, string] => one[1] !== undefined)
  if (told.length === 0) return null
  return (
    <ul class="not-here" role="status">
      {told.map(([what, name]) => (
        <li key={what}>{partWords().notHere(what, <q>{visibleText(name.slice(0, 200), false)}</q>)}</li>
      ))}
    </ul>
  )
}
