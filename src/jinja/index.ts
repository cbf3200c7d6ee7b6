export type { Limits } from '../python/limits.ts'
export { type ChatInput, knownRoles, type RenderedChat, type RenderedChatPieces, renderChat, renderChatPieces } from './render-chat.ts'
export { compileTemplate, type Rendered, type RenderedPieces, type RenderOptions, type Stretch, type Template } from './template.ts'
export { TemplateError } from './template-error.ts'
