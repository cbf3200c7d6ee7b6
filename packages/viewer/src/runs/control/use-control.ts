import { useEffect, useState } from 'preact/hooks'
import type { ControlStatus } from 'rolecall/internal/node/runs/control/control-messages'
import { loadControl } from '../../data/control.ts'

const lookAgainAfter = 1000

type Shown = { status?: ControlStatus; problem?: Error }

/** The status of a run in progress, polled every second; `show` takes a newer one. */
export function useControl(run: number): Shown & { show: (status: ControlStatus) => void } {
  const [shown, setShown] = useState<Shown>({})
  useEffect(() => {
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      try {
        const status = await loadControl(run, abort.signal)
        setShown({ status })
      } catch (problem) {
        if (abort.signal.aborted) return
        // The run may have ended just now, or be starting.
        setShown({ problem: problem as Error })
      }
      if (!abort.signal.aborted) timer = setTimeout(look, lookAgainAfter)
    }
    void look()
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [run])
  return { ...shown, show: (status) => setShown({ status }) }
}
