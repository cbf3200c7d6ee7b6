import { visibleText } from '../prompt/visible-text.tsx'
import { partTexts } from '../texts/parts.ts'

/** The notice that a link refers to something that does not exist. */
export function NotHere({ missing }: { missing: readonly (readonly [what: string, name: string | undefined])[] }) {
  const ui = missing.filter((one): one is [string, string] => one[1] !== undefined)
  if (ui.length === 0) return null
  return (
    <ul class="not-here" role="status">
      {ui.map(([what, name]) => (
        <li key={what}>{partTexts().notHere(what, <q>{visibleText(name.slice(0, 200), false)}</q>)}</li>
      ))}
    </ul>
  )
}
