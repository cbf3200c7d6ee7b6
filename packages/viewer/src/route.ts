import { useEffect, useState } from 'preact/hooks'

/** The current page and selection, all in the address, so that links reproduce it. */
export type Route = { page: string; query: Readonly<Record<string, string>> }

export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s)
  return { page: path, query: Object.fromEntries(new URLSearchParams(query)) }
}

/** Parameters that persist across pages. */
const carried = ['lang'] as const

/** The address of a place, with the language of the address `from`. */
export function hrefOf({ page, query }: Route, from = location.hash): string {
  const { query: now } = readRoute(from)
  const kept = Object.fromEntries(carried.flatMap((key) => (now[key] === undefined ? [] : [[key, now[key]]])))
  const entries = Object.entries({ ...kept, ...query }).filter(([, value]) => value !== '')
  const search = new URLSearchParams(entries).toString()
  return `#/${page}${search === '' ? '' : `?${search}`}`
}

/** Navigates; `replace` if the change should not be a step in the history. */
export function go(route: Route, { replace = false } = {}): void {
  const href = hrefOf(route)
  if (href === location.hash) return
  if (replace) {
    history.replaceState(null, '', href)
    dispatchEvent(new HashChangeEvent('hashchange'))
  } else location.hash = href
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => readRoute(location.hash))
  useEffect(() => {
    const changed = () => setRoute(readRoute(location.hash))
    addEventListener('hashchange', changed)
    return () => removeEventListener('hashchange', changed)
  }, [])
  return route
}

/** The page's parameters, and how to change some of them. */
export function useQuery(route: Route): (changes: Record<string, string | undefined>, options?: { replace?: boolean }) => void {
  return (changes, options) => {
    const { page, query: now } = readRoute(location.hash)
    // A late change from a page that was left must not navigate back.
    if (page !== route.page) return
    const query = { ...now }
    for (const [key, value] of Object.entries(changes)) {
      if (value === undefined) delete query[key]
      else query[key] = value
    }
    go({ page: route.page, query }, options)
  }
}

/** A single parameter in the address. Changing it adds no history entry. */
export function useLinked(key: string): [value: string | undefined, change: (value: string | undefined) => void] {
  const route = useRoute()
  const change = useQuery(route)
  return [route.query[key], (value) => change({ [key]: value }, { replace: true })]
}
