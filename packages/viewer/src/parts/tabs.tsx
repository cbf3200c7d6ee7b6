import type { ComponentChildren, TargetedKeyboardEvent } from 'preact'

type TabsProps = {
  class: 'tabs' | 'labels'
  label: string
  names: readonly ComponentChildren[]
  chosen: number
  onChoose: (index: number) => void
  /** The id of the panel; those of its tabs are derived from it. */
  panel?: string
}

/** A list of tabs: Tab moves to the chosen one, the arrow keys choose another. */
export function Tabs({ class: kind, label, names, chosen, onChoose, panel }: TabsProps) {
  const pressed = (event: TargetedKeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = (chosen + step + names.length) % names.length
    onChoose(next)
    event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus()
  }
  return (
    <div class={kind} role="tablist" aria-label={label} onKeyDown={pressed}>
      {names.map((name, index) => (
        <button
          key={index}
          type="button"
          role="tab"
          {...(panel === undefined ? {} : { id: tabOf(panel, index), 'aria-controls': panel })}
          aria-selected={index === chosen}
          tabIndex={index === chosen ? 0 : -1}
          onClick={() => onChoose(index)}
        >
          {name}
        </button>
      ))}
    </div>
  )
}

/** The id of a tab, for the panel that it labels. */
export function tabOf(panel: string, index: number): string {
  return `${panel}-tab-${index}`
}
