// For our own packages only: what `rolecall` uses of this room. May change in any release.

export * from '../base/jinja/index.ts'
export * from '../base/jinja/origins.ts'
export * from '../base/jinja/render-chat.ts'
export * from '../base/jinja/syntax/jinja-ast.ts'
export * from '../base/jinja/syntax/parser.ts'
export * from '../base/jinja/template.ts'
export * from '../base/jinja/template-class.ts'
export * from '../base/jinja/template-error.ts'
