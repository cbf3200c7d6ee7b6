import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

type VirtualProps = {
  count: number
  /** Line height in pixels. */
  height: number
  /** Height of the sticky header. */
  head?: number
  selected: number | undefined
  onSelect: (index: number) => void
  /** Called on Enter, to move into the panel of the selected line. */
  onEnter?: (() => void) | undefined
  /** Called with the visible range. */
  onSeen?: ((first: number, last: number) => void) | undefined
  /** Changes when the line numbers refer to other lines. */
  of?: unknown
}

type Virtual = {
  box: RefObject<HTMLDivElement | null>
  /** The lines to render. */
  lines: readonly number[]
  /** The total height as rendered. */
  drawn: number
  /** The position of a line. */
  topOf: (index: number) => number
  onScroll: () => void
  onKeyDown: (event: KeyboardEvent) => void
}

const beyond = 8
/** The maximum scroll height of browsers; longer lists are scaled to it. */
const tallest = 16_000_000

/** Virtual scrolling: renders only visible lines and keeps the selected one in view. */
export function useVirtual({ count, height, head = 0, selected, onSelect, onEnter, onSeen, of }: VirtualProps): Virtual {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, size: 600 })
  const whole = count * height
  const drawn = Math.min(whole, tallest)
  // In scaled lists, the scrollbar moves in larger steps.
  const scale = whole > drawn ? (whole - view.size) / (drawn - view.size) : 1
  const top = view.top * scale
  const first = Math.max(0, Math.floor(top / height) - beyond)
  const last = Math.min(count - 1, Math.ceil((top + view.size) / height) + beyond)
  const look = () => setView({ top: box.current!.scrollTop, size: box.current!.clientHeight - head })
  useLayoutEffect(() => {
    look()
    const observer = new ResizeObserver(look)
    observer.observe(box.current!)
    return () => observer.disconnect()
  }, [])
  useEffect(() => onSeen?.(first, last), [first, last, count, of])
  useEffect(() => {
    const element = box.current!
    if (selected === undefined) return
    const [start, end] = [selected * height, (selected + 1) * height]
    const now = element.scrollTop * scale
    const size = element.clientHeight - head
    if (start < now) element.scrollTop = start / scale
    else if (end > now + size) element.scrollTop = (end - size) / scale
  }, [selected, count, view.size])
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(view.size / height) - 1)
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -count, End: count }
    // Buttons in the list, such as sort headings, handle their own Enter.
    if (event.key === 'Enter' && event.target === event.currentTarget) {
      // Otherwise the button that receives focus would be pressed as well.
      event.preventDefault()
      if (selected === undefined) onSelect(0)
      else onEnter?.()
    }
    const step = steps[event.key]
    if (step === undefined || count === 0) return
    event.preventDefault()
    onSelect(Math.max(0, Math.min(count - 1, (selected ?? -1) + step)))
  }
  return {
    box,
    lines: Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index),
    drawn,
    topOf: (index) => index * height - top + view.top,
    onScroll: look,
    onKeyDown,
  }
}
