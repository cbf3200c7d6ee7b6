import type { ComponentChildren } from 'preact'
import { partWords } from '../words/parts.ts'

type ToggleProps = {
  on: boolean
  onChange: (on: boolean) => void
  children: ComponentChildren /** The key that does the same. */
  hint?: string
}

export function Toggle({ on, onChange, children, hint }: ToggleProps) {
  return (
    <button type="button" class="toggle" aria-pressed={on} onClick={() => onChange(!on)} title={hint ? partWords().key(hint) : undefined}>
      <span class="box" aria-hidden="true" />
      {children}
    </button>
  )
}
