import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

type VirtualListProps = {
  count: number
  height: number
  selected: number | undefined
  onSelect: (index: number) => void
  /** What a line shows; it is asked only for lines that are seen. */
  line: (index: number) => ComponentChildren
  label: string
  /** Is told which lines are seen. */
  onSeen?: (first: number, last: number) => void
  id: string
  /** Changes when other lines are behind the same numbers. */
  of?: unknown
}

const beyond = 8
/** Browsers do not scroll further; longer lists are mapped to this height. */
const tallest = 16_000_000

/** A list that draws only the lines that are seen, however many there are. */
export function VirtualList({ count, height, selected, onSelect, line, label, onSeen, id, of }: VirtualListProps) {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, size: 600 })
  const whole = count * height
  const drawn = Math.min(whole, tallest)
  // Where the list is longer than a page can be, the scrollbar moves in larger steps.
  const scale = whole > drawn ? (whole - view.size) / (drawn - view.size) : 1
  const top = view.top * scale
  const first = Math.max(0, Math.floor(top / height) - beyond)
  const last = Math.min(count - 1, Math.ceil((top + view.size) / height) + beyond)
  useLayoutEffect(() => {
    const element = box.current!
    const measure = () => setView({ top: element.scrollTop, size: element.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => onSeen?.(first, last), [first, last, count, of])
  useEffect(() => {
    const element = box.current!
    if (selected === undefined) return
    const [start, end] = [selected * height, (selected + 1) * height]
    const now = element.scrollTop * scale
    if (start < now) element.scrollTop = start / scale
    else if (end > now + element.clientHeight) element.scrollTop = (end - element.clientHeight) / scale
  }, [selected, count, view.size])
  const move = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(view.size / height) - 1)
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -count, End: count }
    const step = steps[event.key]
    if (step === undefined || count === 0) return
    event.preventDefault()
    onSelect(Math.max(0, Math.min(count - 1, (selected ?? -1) + step)))
  }
  const lines = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
  return (
    <div
      ref={box}
      class="virtual-list"
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={selected === undefined ? undefined : `${id}-${selected}`}
      onScroll={() => setView({ top: box.current!.scrollTop, size: box.current!.clientHeight })}
      onKeyDown={move}
    >
      <div class="virtual-lines" style={{ height: `${drawn}px` }}>
        {lines.map((index) => (
          <div
            key={index}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === selected}
            aria-posinset={index + 1}
            aria-setsize={count}
            class="virtual-line"
            style={{ height: `${height}px`, transform: `translateY(${index * height - top + view.top}px)` }}
            onClick={() => onSelect(index)}
            onKeyDown={(event) => event.key === 'Enter' && onSelect(index)}
          >
            {line(index)}
          </div>
        ))}
      </div>
    </div>
  )
}
