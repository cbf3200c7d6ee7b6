import type { ComponentChildren } from 'preact'
import { partTexts } from '../texts/parts.ts'

type ToggleProps = {
  on: boolean
  onChange: (on: boolean) => void
  children: ComponentChildren /** The key that does the same. */
  hint?: string
}

export function Toggle({ on, onChange, children, hint }: ToggleProps) {
  return (
    <button type="button" class="toggle" aria-pressed={on} onClick={() => onChange(!on)} title={hint ? partTexts().key(hint) : undefined}>
      <span class="box" aria-hidden="true" />
      {children}
    </button>
  )
}
