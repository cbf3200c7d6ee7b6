import type { ComponentChildren } from 'preact'
import { useIsPrinted } from '../../parts/use-is-printed.ts'
import { useLinked } from '../../route.ts'

type SectionProps = {
  /** The name in links. */
  name: string
  title: ComponentChildren
  /** Whether it is open by default. */
  isOpen: boolean
  children: ComponentChildren
}

/** A collapsible section of a run's page. Deviations from the default are in the link. On paper all are open. */
export function Section({ name, title, isOpen, children }: SectionProps) {
  const [turned = '', setTurned] = useLinked('turned')
  const names = turned.split(' ').filter((one) => one !== '')
  const isPrinted = useIsPrinted()
  const open = names.includes(name) !== isOpen
  const turn = (now: boolean) => {
    if (now === open) return
    const next = names.includes(name) ? names.filter((one) => one !== name) : [...names, name]
    setTurned(next.length === 0 ? undefined : next.join(' '))
  }
  return (
    <details class="section" open={open || isPrinted} onToggle={(event) => isPrinted || turn(event.currentTarget.open)}>
      <summary>
        <h2>{title}</h2>
      </summary>
      {(open || isPrinted) && <div class="section-body">{children}</div>}
    </details>
  )
}
