import type { ComponentChildren } from 'preact'
import { useLinked } from '../../route.ts'

type SectionProps = {
  /** The name in links. */
  name: string
  title: ComponentChildren
  /** Whether it is open by default. */
  isOpen: boolean
  children: ComponentChildren
}

/** A collapsible section of a run's page. Deviations from the default are in the link. */
export function Section({ name, title, isOpen, children }: SectionProps) {
  const [turned = '', setTurned] = useLinked('turned')
  const names = turned.split(' ').filter((one) => one !== '')
  const open = names.includes(name) !== isOpen
  const turn = (now: boolean) => {
    if (now === open) return
    const next = names.includes(name) ? names.filter((one) => one !== name) : [...names, name]
    setTurned(next.length === 0 ? undefined : next.join(' '))
  }
  return (
    <details class="section" open={open} onToggle={(event) => turn(event.currentTarget.open)}>
      <summary>
        <h2>{title}</h2>
      </summary>
      {open && <div class="section-body">{children}</div>}
    </details>
  )
}
