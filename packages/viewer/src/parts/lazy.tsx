import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { partTexts } from '../texts/parts.ts'
import { ErrorBox } from './error-box.tsx'

/** A page whose code is loaded on first view. */
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
    if (state.View) return <state.View {...props} />
    return (
      <p class="empty" role="status">
        {partTexts().loading}
      </p>
    )
  }
}
