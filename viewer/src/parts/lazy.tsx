import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ErrorBox } from './error-box.tsx'

/** A page whose code is loaded when it is first looked at. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  return function Lazy(props: Props) {
    const [state, setState] = useState<{ View?: ComponentType<Props> | undefined; error?: Error }>({ View: loaded })
    useEffect(() => {
      if (loaded) return
      load().then(
        (View) => {
          loaded = View
          setState({ View })
        },
        (error: Error) => setState({ error }),
      )
    }, [])
    if (state.error) return <ErrorBox error={state.error} />
    return state.View ? <state.View {...props} /> : null
  }
}
