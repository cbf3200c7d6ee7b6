import type { PyValue } from '../python/values/data.ts'
import { fromJavaScript } from './from-javascript.ts'
import { type Template as Compiled, compileTemplate, type RenderOptions } from './template.ts'

/**
 * A chat template that is read once and rendered many times, as users of @huggingface/jinja know it; it renders what Python's Jinja2
 * does under transformers' settings.
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

  /** The names that the template takes from outside, functions included. */
  get names(): readonly string[] {
    return this.#compiled.names
  }

  /** The text for these variables: plain values, also functions that the template may call. */
  render(variables: Readonly<Record<string, unknown>> = {}, options?: RenderOptions): string {
    const read: Record<string, PyValue> = {}
    for (const name of this.#compiled.names) {
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined
      if (value !== undefined) read[name] = fromJavaScript(value, name)
    }
    return this.#compiled.render(read, options)
  }
}
