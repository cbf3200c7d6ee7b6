import { PromptError } from '@rolecall/core/internal/errors'

/**
 * A template for Python's `str.format`, with its fields replaced; unknown ones stay as they are, as Inspect leaves them. Doubled braces
 * are single ones.
 * @example formatFields('{a} {b} {{c}}', new Map([['a', 'x']]), '') // => 'x {b} {c}'
 */
export function formatFields(template: string, fields: ReadonlyMap<string, string>, where: string): string {
  return template.replace(/\{\{|\}\}|\{([^{}]*)\}/g, (whole, field: string | undefined) => {
    if (whole === '{{') return '{'
    if (whole === '}}') return '}'
    const found = fields.get(field!)
    if (found !== undefined) return found
    const [name = ''] = field!.split(/[.[:!]/)
    if (!fields.has(name)) return whole
    throw new PromptError('bad-task', {
      where,
      problem: `the field ${whole} has an attribute, an index, a conversion or a format`,
      fix: `write {${name}}`,
    })
  })
}
