import { useLayoutEffect, useRef } from 'preact/hooks'
import { isTyping } from '../prompt/use-settings.ts'

type RowKeysProps = {
  count: number
  /** The index of the open row, by the address: keys may arrive faster than the page renders. -1 if none is open. */
  openAt: () => number
  select: (index: number) => void
  close: () => void
}

/** Steps through rows with `j` and `k`, and closes the open one with Escape. Returns the step, for buttons. */
export function useRowKeys({ count, openAt, select, close }: RowKeysProps): (by: 1 | -1) => void {
  const step = (by: 1 | -1) => select(Math.max(0, Math.min(count - 1, openAt() + by)))
  const latest = useRef({ step, close })
  latest.current = { step, close }
  // Before paint: the user may press a key as soon as rows are visible.
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (isTyping(event)) return
      if (event.key === 'j') latest.current.step(1)
      if (event.key === 'k') latest.current.step(-1)
      if (event.key === 'Escape') latest.current.close()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [])
  return step
}
