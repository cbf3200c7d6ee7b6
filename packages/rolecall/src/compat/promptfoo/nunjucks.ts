import { compileTemplate, type Dialect, type Filter, type JinjaTemplate } from '@rolecall/core/internal/jinja'
import { bind, compactJson, type PyValue, parseJson, stringOf, typeError, type Value } from '@rolecall/core/internal/python'
import type { PromptfooFields } from './promptfoo-host.ts'

/** The filters that Nunjucks has under other names. */
const dump: Filter = (_, input, args, kwargs) => {
  bind('dump', ['indent'], 0, args, kwargs)
  return compactJson(input as PyValue)
}
const load: Filter = (_, input) => {
  const text = stringOf(input)
  if (text === undefined) throw typeError('load expects a text')
  return parseJson(text) as Value
}
const safe: Filter = (_, input) => input

/** Nunjucks trims nothing, and what is undefined is empty. */
const dialect: Dialect = {
  trims: false,
  keepsLastNewline: true,
  strict: false,
  filters: new Map([
    ['dump', dump],
    ['load', load],
    ['safe', safe],
  ]),
}

const tag = /\{\{|\{%|\{#/

/** Whether a text has anything that a template replaces. */
export function isTemplate(text: string): boolean {
  return tag.test(text)
}

const mostTemplates = 1_000
const compiled = new Map<string, JinjaTemplate>()

/**
 * A template filled with the variables of a test, as Nunjucks writes them; or why that is not possible.
 *
 * @example renderNunjucks('{{ name | upper }}{% if formal %}, Sir{% endif %}', { name: 'Bo', formal: true }) // => { text: 'BO, Sir' }
 */
export function renderNunjucks(source: string, vars: PromptfooFields): { text: string } | { reason: string } {
  if (!isTemplate(source)) return { text: source }
  // A config must not send the environment, with its keys, to a model.
  if (/\{[{%][^}]*\benv\s*[.[]/.test(source)) return { reason: 'it reads environment variables' }
  try {
    let template = compiled.get(source)
    if (template === undefined) {
      template = compileTemplate(source, { dialect, name: 'the template' })
      if (compiled.size >= mostTemplates) compiled.clear()
      compiled.set(source, template)
    }
    const isPlain = !/\{%/.test(source)
    const read: Record<string, PyValue> = {}
    for (const name of template.names) if (Object.hasOwn(vars, name)) read[name] = printed(vars[name], isPlain)
    return { text: template.render(read) }
  } catch (error) {
    return { reason: `its template cannot be read: ${(error as Error).message.split('\n')[0]}` }
  }
}

/** What templates only print is printed as JavaScript does. */
function printed(value: unknown, isPlain: boolean): PyValue {
  if (value === undefined || value === null) return isPlain ? '' : null
  if (typeof value === 'boolean' && isPlain) return String(value)
  return value as PyValue
}
