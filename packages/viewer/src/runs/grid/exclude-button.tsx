import { useLayoutEffect, useRef } from 'preact/hooks'
import { isTyping } from '../../prompt/use-settings.ts'
import { gridTexts } from '../../texts/grid.ts'
import type { Annotations } from '../review/use-annotations.ts'

type ExcludeButtonProps = { row: number; annotations: Annotations; excluded: string | undefined }

/** Leaves a row out of scores, or counts it again. The reason is the first of the list, and can be chosen. */
export function ExcludeButton({ row, annotations: { change }, excluded }: ExcludeButtonProps) {
  const ui = gridTexts()
  const toggle = () => change?.(row, { excluded: excluded === undefined ? ui.excludeReasons[0]! : '' })
  const latest = useRef(toggle)
  latest.current = toggle
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!isTyping(event) && event.key === 'x') latest.current()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [])
  if (!change) return null
  return (
    <>
      <button type="button" aria-pressed={excluded !== undefined} title={ui.excludeTitle} onClick={toggle}>
        ⊘ {excluded === undefined ? ui.exclude : ui.include}
      </button>
      {excluded !== undefined && (
        <select
          aria-label={ui.excludeReason}
          value={excluded}
          onChange={({ currentTarget: { value } }) => change(row, { excluded: value })}
        >
          {[...new Set([excluded, ...ui.excludeReasons])].map((reason) => (
            <option key={reason} value={reason}>
              {reason}
            </option>
          ))}
        </select>
      )}
    </>
  )
}
