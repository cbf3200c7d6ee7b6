import { type ChecksOf, checkOptionsOf, isNumber, isString } from '../base/errors/check-options.ts'
import { compileTemplate, type JinjaTemplate, type Limits } from '../base/jinja/index.ts'
import type { PyValue } from '../base/python/index.ts'

/** How a template is rendered. */
export type TemplateOptions = {
  /** Its name in errors. */
  name?: string
  /** The time of `strftime_now`; by default the time of the call. */
  clock?: Date
  /** Bounds on its steps and output, for templates from strangers. */
  limits?: Partial<Limits>
}

/** The last templates: each is compiled once. */
const compiled = new Map<string, JinjaTemplate>()
const mostCompiled = 32

/**
 * Renders Jinja2 as transformers configures it for chat templates. A source is compiled once, so that many renders are fast.
 *
 * @example
 * renderTemplate('{% for m in messages %}{{ m.content | upper }}{% endfor %}', { messages: [{ content: 'hi' }] }) // => 'HI'
 */
export function renderTemplate(source: string, variables: Readonly<Record<string, unknown>>, options: TemplateOptions = {}): string {
  checkOptions(options)
  const { name = 'template', ...rendering } = options
  return templateOf(source, name).render(variables as Readonly<Record<string, PyValue>>, rendering)
}

function templateOf(source: string, name: string): JinjaTemplate {
  const key = `${name}\u0000${source}`
  const template = compiled.get(key) ?? compileTemplate(source, { name })
  compiled.delete(key)
  compiled.set(key, template)
  for (const oldest of compiled.keys()) {
    if (compiled.size <= mostCompiled) break
    compiled.delete(oldest)
  }
  return template
}

const optionChecks = {
  name: isString,
  clock: { kind: 'a Date', holds: (value) => value instanceof Date },
  limits: { kind: 'an object', holds: (value) => typeof value === 'object' && value !== null && !Array.isArray(value) },
} satisfies ChecksOf<TemplateOptions>
const limitChecks = { steps: isNumber, output: isNumber, depth: isNumber } satisfies ChecksOf<Limits>

function checkOptions(options: TemplateOptions): void {
  checkOptionsOf(options, optionChecks, 'renderTemplate › options')
  if (options.limits !== undefined) checkOptionsOf(options.limits, limitChecks, 'renderTemplate › options › limits')
}
