import { limits } from '@rolecall/core/internal/errors'
import { longLine, textOf, tryJson } from './foreign-values.ts'

/** An element of a JSON array or object, as text; `key` is its name or index. */
export type JsonElement = { key: string; text: string }

type Level = { isArray: boolean; key: string; count: number; expectsKey: boolean }

const outside = /["{}[\],:]/g
const inside = /["\\]/g

/**
 * Splits a JSON text that may be too long for memory: yields the elements of the array or object at `path` one by one, and returns the
 * rest of the document with that container emptied. Of an element that is too long, `longLine` is left.
 *
 * @example
 * [...jsonElements(['{"rows":[1,', '{"a":2}],"n":2}'], ['rows'])].map(({ text }) => text) // => ['1', '{"a":2}']
 */
export function* jsonElements(
  chunks: Iterable<string>,
  path: readonly string[],
  longest: number = limits.lineBytes,
): Generator<JsonElement, string> {
  const levels: Level[] = []
  let [element, rest, key] = ['', '', '']
  let [isInString, isEscaped, isKey] = [false, false, false]
  const joined = (one: string, other: string) => (one === longLine || one.length + other.length > longest ? longLine : one + other)
  const isContainer = () => levels.length === path.length + 1 && path.every((name, depth) => levels[depth]!.key === name)
  const isWithin = () => levels.length > path.length && path.every((name, depth) => levels[depth]!.key === name)
  for (const chunk of chunks) {
    let [saved, at] = [0, 0]
    const save = (to: number) => {
      const text = chunk.slice(saved, to)
      saved = to
      if (isKey && isInString) key = joined(key, text)
      if (isWithin() && !levels[path.length]!.expectsKey) element = joined(element, text)
      else if (!isWithin()) rest = joined(rest, text)
    }
    while (at < chunk.length) {
      if (isInString) {
        if (isEscaped) {
          isEscaped = false
          at++
          continue
        }
        inside.lastIndex = at
        const found = inside.exec(chunk)
        if (!found) break
        at = found.index + 1
        if (found[0] === '\\') {
          isEscaped = true
          continue
        }
        save(at)
        isInString = false
        if (isKey) levels.at(-1)!.key = textOf(tryJson(key)) ?? key
        isKey = false
        continue
      }
      outside.lastIndex = at
      const found = outside.exec(chunk)
      if (!found) break
      const level = levels.at(-1)
      at = found.index
      switch (found[0]) {
        case '"':
          save(at)
          isInString = true
          isKey = level?.expectsKey ?? false
          key = ''
          at++
          break
        case ':':
          at++
          if (level?.expectsKey) {
            if (isContainer()) {
              saved = at
              level.expectsKey = false
            } else {
              save(at)
              level.expectsKey = false
            }
          }
          break
        case ',':
          if (isContainer()) {
            save(at)
            yield* taken()
            saved = at + 1
          }
          at++
          if (level) {
            level.count++
            if (level.isArray) level.key = String(level.count)
            level.expectsKey = !level.isArray
          }
          break
        case '{':
        case '[':
          at++
          save(at)
          levels.push({ isArray: found[0] === '[', key: '0', count: 0, expectsKey: found[0] === '{' })
          break
        default:
          if (isContainer()) {
            save(at)
            yield* taken()
          } else save(at)
          levels.pop()
          at++
      }
    }
    save(chunk.length)
  }
  return rest

  function* taken(): Generator<JsonElement> {
    const text = element.trim()
    element = ''
    if (text !== '') yield { key: levels.at(-1)!.key, text }
  }
}
