import { useEffect, useState } from 'preact/hooks'

/** How prompts are shown; kept for the next visit. */
export type Settings = {
  whitespace: boolean
  tokens: boolean
  ids: boolean
  setWhitespace: (on: boolean) => void
  setTokens: (on: boolean) => void
  setIds: (on: boolean) => void
}

export function useSettings(): Settings {
  const [whitespace, setWhitespace] = useKept('whitespace', false)
  const [tokens, setTokens] = useKept('tokens', false)
  const [ids, setIds] = useKept('ids', false)
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (isTyping(event)) return
      if (event.key === 'w') setWhitespace(!whitespace)
      if (event.key === 't') setTokens(!tokens)
      if (event.key === 'i' && tokens) setIds(!ids)
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [whitespace, tokens, ids])
  return { whitespace, tokens, ids, setWhitespace, setTokens, setIds }
}

/** Keys mean letters where something is written, and belong to the browser with Ctrl, Alt or Meta. */
export function isTyping({ target, ctrlKey, altKey, metaKey, defaultPrevented }: KeyboardEvent): boolean {
  if (ctrlKey || altKey || metaKey || defaultPrevented) return true
  const element = target as Element | null
  return element?.matches?.('input, select, textarea, [contenteditable="true"], .editor') === true
}

function useKept(key: string, otherwise: boolean): [boolean, (value: boolean) => void] {
  const [value, setValue] = useState(() => read(key) ?? otherwise)
  return [
    value,
    (next) => {
      setValue(next)
      try {
        localStorage.setItem(`rolecall.${key}`, String(next))
      } catch {
        // Without storage it is only not kept.
      }
    },
  ]
}

function read(key: string): boolean | undefined {
  try {
    const kept = localStorage.getItem(`rolecall.${key}`)
    return kept === null ? undefined : kept === 'true'
  } catch {
    return undefined
  }
}
