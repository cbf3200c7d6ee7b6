import { useRef, useState } from 'preact/hooks'

/** More pages than a screen shows lines of, in any order; earlier ones are dropped and fetched again. */
const mostKept = 200

/** Pages of a list by number, fetched on demand. After `of` has changed they are fetched again; until then, the earlier ones are shown. */
export function useParts<Part, Key = number>(load: (number: Key) => Promise<Part>, of?: unknown) {
  const [kept, setKept] = useState<ReadonlyMap<Key, { part: Part; version: number }>>(new Map())
  const [error, setError] = useState<Error>()
  const asked = useRef({ of, version: 0, numbers: new Set<Key>() })
  // During render, not in an effect: the list requests its lines before effects run.
  if (asked.current.of !== of) asked.current = { of, version: asked.current.version + 1, numbers: new Set<Key>() }
  const want = (number: Key) => {
    const { version, numbers } = asked.current
    if (numbers.has(number)) return
    numbers.add(number)
    load(number).then(
      (part) =>
        setKept((all) => {
          // A late reply does not replace a newer one.
          if ((all.get(number)?.version ?? 0) > version) return all
          const next = new Map(all)
          next.delete(number)
          next.set(number, { part, version })
          const [oldest] = next.keys()
          if (next.size > mostKept) {
            next.delete(oldest as Key)
            asked.current.numbers.delete(oldest as Key)
          }
          return next
        }),
      (failure: Error) => {
        numbers.delete(number)
        setError(failure)
      },
    )
  }
  return { partAt: (number: Key) => kept.get(number)?.part, want, error }
}
