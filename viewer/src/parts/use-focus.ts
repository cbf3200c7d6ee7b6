import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { Route } from '../route.ts'

/** Whether what had the focus is gone: it is then on nothing, and Tab begins anywhere. */
function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}

/** Where whoever cannot see the page is told that it is another one. */
export function focusContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true })
}

/** What of the address is another place, not another choice in the same one. */
const places = ['run', 'model', 'format', 'dataset', 'pair', 'first', 'second', 'conversation'] as const

/** A link that leads to another place takes the focus there: the link itself is gone. */
export function useFocusOnContent({ page, query }: Route): void {
  const place = JSON.stringify([page, ...places.map((name) => query[name])])
  const before = useRef(place)
  useEffect(() => {
    if (before.current === place) return
    before.current = place
    if (isFocusLost()) focusContent()
  }, [place])
}

/** When what is open beside a list is closed, and the focus was in it, the focus returns to the list. */
export function useReturnToList(list: RefObject<HTMLElement | null>, isOpen: boolean): void {
  const wasOpen = useRef(isOpen)
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen && isFocusLost()) list.current?.querySelector<HTMLElement>('[role="grid"]')?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
}

/** Goes from a list into what is open beside it: to its tab, else to its first button. */
export function focusRecord(list: HTMLElement | null): void {
  const record = list?.parentElement?.querySelector('.pair-record')
  const target = record?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]') ?? record?.querySelector<HTMLElement>('button')
  target?.focus()
}
