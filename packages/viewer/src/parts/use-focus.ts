import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { Route } from '../route.ts'

/** Whether the focused element is gone, so that focus is on the body. */
function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}

/** The element that receives focus on navigation, for screen readers. */
export function focusContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true })
}

/** The part of the address that identifies a place rather than a selection. */
const places = ['run', 'model', 'format', 'dataset', 'pair', 'first', 'second', 'conversation'] as const

/** Moves the focus to the new place after navigation, because the clicked link is gone. */
export function useFocusOnContent({ page, query }: Route): void {
  const place = JSON.stringify([page, ...places.map((name) => query[name])])
  const before = useRef(place)
  useEffect(() => {
    if (before.current === place) return
    before.current = place
    if (isFocusLost()) focusContent()
  }, [place])
}

/** Returns the focus to the list when the panel beside it is closed while focused. */
export function useReturnToList(list: RefObject<HTMLElement | null>, isOpen: boolean): void {
  const wasOpen = useRef(isOpen)
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen && isFocusLost()) list.current?.querySelector<HTMLElement>('[role="grid"]')?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
}

/** Moves the focus from a list into the panel beside it: to its tab, or its first button. */
export function focusRecord(list: HTMLElement | null): void {
  const record = list?.parentElement?.querySelector('.pair-record')
  const target = record?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]') ?? record?.querySelector<HTMLElement>('button')
  target?.focus()
}
