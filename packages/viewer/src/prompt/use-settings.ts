import { useEffect } from 'preact/hooks'
import { useLinked } from '../route.ts'

/** Display settings of prompts: in the link, and stored for the next visit. */
export type Settings = {
  whitespace: boolean
  tokens: boolean
  ids: boolean
  /** Complete prompts, with the tokens a model would be trained on. */
  trained: boolean
  setWhitespace: (on: boolean) => void
  setTokens: (on: boolean) => void
  setIds: (on: boolean) => void
  setTrained: (on: boolean) => void
}

/** `key` is their name in the link. */
export function useSettings(key = 'show'): Settings {
  const [linked, link] = useLinked(key)
  const shown = new Set(linked === undefined ? names.filter(isKept) : linked.split(' '))
  const [whitespace, tokens, ids, trained] = names.map((name) => shown.has(name)) as [boolean, boolean, boolean, boolean]
  const setter = (name: Name) => (on: boolean) => {
    keep(name, on)
    link(names.filter((one) => (one === name ? on : shown.has(one))).join(' ') || 'text')
  }
  const [setWhitespace, setTokens, setIds, setTrained] = names.map(setter) as [Setter, Setter, Setter, Setter]
  // Stored choices are part of a link as well.
  useEffect(() => {
    if (linked === undefined && shown.size > 0) link([...shown].join(' '))
  }, [linked])
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (isTyping(event)) return
      if (event.key === 'w') setWhitespace(!whitespace)
      if (event.key === 't') setTokens(!tokens)
      if (event.key === 'i' && tokens) setIds(!ids)
      if (event.key === 'm') setTrained(!trained)
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [whitespace, tokens, ids, trained])
  return { whitespace, tokens, ids, trained, setWhitespace, setTokens, setIds, setTrained }
}

const names = ['whitespace', 'tokens', 'ids', 'trained'] as const
type Name = (typeof names)[number]
type Setter = (on: boolean) => void

/** Ignores keys typed into fields, with Ctrl, Alt or Meta, and while a dialog is open. */
export function isTyping({ target, ctrlKey, altKey, metaKey, defaultPrevented }: KeyboardEvent): boolean {
  if (ctrlKey || altKey || metaKey || defaultPrevented || document.querySelector('dialog[open]')) return true
  const element = target as Element | null
  return element?.matches?.('input:not([type="checkbox"]), select, textarea, [contenteditable="true"], .editor') === true
}

function keep(name: Name, on: boolean): void {
  try {
    localStorage.setItem(`rolecall.${name}`, String(on))
  } catch {
    // Without storage, the choice is not remembered.
  }
}

function isKept(name: Name): boolean {
  try {
    return localStorage.getItem(`rolecall.${name}`) === 'true'
  } catch {
    return false
  }
}
