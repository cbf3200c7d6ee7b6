import { useEffect, useState } from 'preact/hooks'

export type Loaded<Value> = { value?: Value; error?: Error; isLoading: boolean }

/** Loads a value when its dependencies change; keeps the old value meanwhile. */
export function useLoad<Value>(loadIt: (signal: AbortSignal) => Promise<Value>, on: readonly unknown[]): Loaded<Value> {
  const [state, setState] = useState<Loaded<Value>>({ isLoading: true })
  useEffect(() => {
    const abort = new AbortController()
    setState(({ value }) => ({ ...(value === undefined ? {} : { value }), isLoading: true }))
    loadIt(abort.signal).then(
      (value) => abort.signal.aborted || setState({ value, isLoading: false }),
      (error: Error) => abort.signal.aborted || setState({ error, isLoading: false }),
    )
    return () => abort.abort()
  }, on)
  return state
}
