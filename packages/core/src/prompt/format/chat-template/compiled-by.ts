import type { TemplateCompiler } from '../../../base/jinja/index.ts'

/**
 * The key in a model's config for an engine that compiles and renders its chat template elsewhere. It is a symbol: copies of a config keep
 * it, and serialization, display and comparison ignore it.
 */
export const compiledBy: unique symbol = Symbol('compiledBy')

export type WithCompiler = { readonly [compiledBy]?: TemplateCompiler }

/**
 * The model with its chat template, if it has one, compiled and rendered by the given engine.
 *
 * @example
 * const model = withCompiler({ chat_template: '{{ messages }}' }, compileTemplate)
 * JSON.stringify(model) // => '{"chat_template":"{{ messages }}"}'
 */
export function withCompiler<Model extends object>(model: Model, compile: TemplateCompiler): Model & WithCompiler {
  return { ...model, [compiledBy]: compile }
}
