export type { Limits } from '../python/python-limits.ts'
export { localReach, turnsAreLocal } from './analyse/local-turns.ts'
export type { Dialect } from './dialect.ts'
export type { Filter } from './filters/filter.ts'
export { type ChatInput, knownRoles, type RenderedChatPieces, renderChat, renderChatPieces } from './render-chat.ts'
export {
  type CompileOptions,
  compileTemplate,
  type JinjaTemplate,
  type Rendered,
  type RenderedPieces,
  type RenderOptions,
  type TemplateCompiler,
  type Written,
} from './template.ts'
export { TemplateError } from './template-error.ts'
