import { useEffect, useState } from 'preact/hooks'

/** Where the reader is: a page and what is chosen on it, all of it in the address, so that a link shows the same. */
export type Route = { page: string; query: Readonly<Record<string, string>> }

export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s)
  return { page: path, query: Object.fromEntries(new URLSearchParams(query)) }
}

/** What goes with the reader from page to page. */
const carried = ['lang'] as const

/** The address of a place; the language of the address `from` goes with it. */
export function hrefOf({ page, query }: Route, from = location.hash): string {
  const { query: now } = readRoute(from)
  const kept = Object.fromEntries(carried.flatMap((key) => (now[key] === undefined ? [] : [[key, now[key]]])))
  const entries = Object.entries({ ...kept, ...query }).filter(([, value]) => value !== '')
  const search = new URLSearchParams(entries).toString()
  return `#/${page}${search === '' ? '' : `?${search}`}`
}

/** Goes somewhere; `replace` for what the reader would not call a step back. */
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

/** The chosen things of a page as values, and how to change some of them. */
export function useQuery(route: Route): (changes: Record<string, string | undefined>, options?: { replace?: boolean }) => void {
  return (changes, options) => {
    const { page, query: now } = readRoute(location.hash)
    // A late change of a page that was left must not bring the reader back.
    if (page !== route.page) return
    const query = { ...now }
    for (const [key, value] of Object.entries(changes)) {
      if (value === undefined) delete query[key]
      else query[key] = value
    }
    go({ page: route.page, query }, options)
  }
}

/** One chosen thing, which lives in the address. Changing it is no step back. */
export function useLinked(key: string): [value: string | undefined, change: (value: string | undefined) => void] {
  const route = useRoute()
  const change = useQuery(route)
  return [route.query[key], (value) => change({ [key]: value }, { replace: true })]
}
