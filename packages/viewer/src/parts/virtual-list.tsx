// biome-ignore-all lint/a11y/useFocusableInteractive: the list has the focus, and names the line that is active. A line with the focus would lose it when it scrolls away
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the list handles keys
import type { ComponentChildren } from 'preact'
import { useVirtual } from './use-virtual.ts'

type VirtualListProps = {
  count: number
  height: number
  selected: number | undefined
  onSelect: (index: number) => void
  /** Renders a line; called only for visible lines. */
  line: (index: number) => ComponentChildren
  label: string
  /** Called with the visible range. */
  onSeen?: (first: number, last: number) => void
  id: string
  /** Changes when the line numbers refer to other lines. */
  of?: unknown
}

/** A list that renders only visible lines. */
export function VirtualList({ count, height, selected, onSelect, line, label, onSeen, id, of }: VirtualListProps) {
  const { box, lines, drawn, topOf, onScroll, onKeyDown } = useVirtual({ count, height, selected, onSelect, onSeen, of })
  return (
    <div
      ref={box}
      class="virtual-list"
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={selected === undefined ? undefined : `${id}-${selected}`}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
    >
      <div class="virtual-lines" style={{ height: `${drawn}px` }}>
        {lines.map((index) => (
          <div
            key={index}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === selected}
            aria-posinset={index + 1}
            aria-setsize={count}
            class="virtual-line"
            style={{ height: `${height}px`, transform: `translateY(${topOf(index)}px)` }}
            onClick={() => onSelect(index)}
          >
            {line(index)}
          </div>
        ))}
      </div>
    </div>
  )
}
