import { check } from '../base/errors/check.ts'
import { compileTemplate, type JinjaTemplate, type Limits } from '../base/jinja/index.ts'
import type { PyValue } from '../base/python/index.ts'
import * as z from '../base/schema/schema.ts'

/** How a template is rendered. */
export type TemplateOptions = {
  /** Its name in errors. */
  name?: string
  /** The time of `strftime_now`; by default the time of the call. */
  clock?: Date
  /** Bounds on its steps and output, for templates from strangers. */
  limits?: Partial<Limits>
}

const templateOptionsSchema = z.strictObject({
  name: z.optional(z.string()),
  clock: z.optional(z.custom<Date>((value) => value instanceof Date, 'expected a Date')),
  limits: z.optional(
    z.strictObject({ steps: z.optional(z.number()), output: z.optional(z.number()), depth: z.optional(z.number()) } satisfies {
      readonly [Key in keyof Limits]: z.FieldSchemas[string]
    }),
  ),
} satisfies { readonly [Key in keyof Required<TemplateOptions>]: z.FieldSchemas[string] })

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
  check(templateOptionsSchema, options, 'renderTemplate › options › ')
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
