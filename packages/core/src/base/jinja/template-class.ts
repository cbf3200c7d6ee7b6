import { dictEntries, isDict, PyFloat, type PyValue } from '../python/values/data.ts'
import { entriesOf } from '../python/values/dict.ts'
import { plainText } from '../python/values/text.ts'
import { isDictValue, isListValue, strOf, Undefined, type Value } from '../python/values/value.ts'
import { PyFunction } from './runtime/runtime.ts'
import { type JinjaTemplate as Compiled, compileTemplate, type RenderOptions } from './template.ts'

/**
 * A chat template that is compiled once and rendered many times, with the API of @huggingface/jinja; it renders what Python's Jinja2 does
 * under transformers' settings.
 *
 * @example
 * const template = new Template("{% for m in messages %}{{ m.role ~ ': ' ~ m.content | trim }}{% endfor %}")
 * template.render({ messages: [{ role: 'user', content: ' Hi ' }] }) // => 'user: Hi'
 */
export class Template {
  readonly #compiled: Compiled

  /** Mistakes in the source throw a `TemplateError` with line and column. */
  constructor(source: string) {
    this.#compiled = compileTemplate(source)
  }

  /** The names of the template's inputs, functions included. */
  get names(): readonly string[] {
    return this.#compiled.names
  }

  /** The text for these variables: plain values, or functions that the template may call. */
  render(variables: Readonly<Record<string, unknown>> = {}, options?: RenderOptions): string {
    const read: Record<string, PyValue> = {}
    for (const name of this.#compiled.names) {
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined
      if (value !== undefined) read[name] = fromJavaScript(value, name)
    }
    return this.#compiled.render(read, options)
  }
}

/**
 * A program's value as a template may see it. Undefined properties are omitted, so that `is defined` is false; functions can be called;
 * instances of classes become dicts of their fields. Values that need no change are returned unchanged.
 */
export function fromJavaScript(value: unknown, name = ''): PyValue {
  // Variables are typed as data; the runtime also accepts its own callable objects.
  if (typeof value === 'function') return callable(name, value as Called) as unknown as PyValue
  if (typeof value !== 'object' || value === null || value instanceof PyFloat) return (value ?? null) as PyValue
  if (Array.isArray(value)) {
    const items = value.map((item) => fromJavaScript(item))
    return items.every((item, index) => item === value[index]) ? (value as PyValue) : items
  }
  const entries = isDict(value) ? dictEntries(value) : Object.entries(value)
  const read = entries.flatMap(([key, one]): [string, PyValue][] => (one === undefined ? [] : [[key, fromJavaScript(one, key)]]))
  const isSame = isDict(value) && read.length === entries.length && read.every(([, one], index) => one === entries[index]![1])
  return isSame ? value : new Map(read)
}

type Called = (...values: unknown[]) => unknown

/** A function of the program: it receives plain values, by position, and its result is converted like any input. */
function callable(name: string, call: Called): PyFunction {
  return new PyFunction(name, (_, args, kwargs) => {
    const named =
      kwargs === undefined || kwargs.size === 0 ? [] : [Object.fromEntries([...kwargs].map(([key, one]) => [key, toJavaScript(one)]))]
    return fromJavaScript(call(...args.map(toJavaScript), ...named)) as Value
  })
}

function toJavaScript(value: Value): unknown {
  const text = strOf(value)
  if (text !== undefined) return plainText(text)
  if (value instanceof Undefined) return undefined
  if (isListValue(value)) return value.map(toJavaScript)
  if (isDictValue(value)) return Object.fromEntries(entriesOf(value).map(([key, one]) => [String(toJavaScript(key)), toJavaScript(one)]))
  return value
}
