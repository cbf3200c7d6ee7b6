import type { TemplateCompiler } from '../../../base/jinja/index.ts'

/**
 * Under this key a model's config says what reads and renders its chat template, where that is not this process. It is a symbol:
 * copies of a config keep it, and nothing that is written, shown or compared sees it.
 */
export const compiledBy: unique symbol = Symbol('compiledBy')

export type WithCompiler = { readonly [compiledBy]?: TemplateCompiler }

/**
 * The model with its chat template, if it has one, read and rendered by a compiler.
 *
 * @example
 * const model = withCompiler({ chat_template: '{{ messages }}' }, compileChatTemplate)
 * JSON.stringify(model) // => '{"chat_template":"{{ messages }}"}'
 */
export function withCompiler<Model extends object>(model: Model, compile: TemplateCompiler): Model & WithCompiler {
  return { ...model, [compiledBy]: compile }
}
