// `rolecall/jinja`: Jinja2 as Hugging Face's transformers configures it for chat templates.

export { type ChatInput, type RenderedChat, type RenderedChatPieces, renderChat, renderChatPieces } from '@rolecall/core/internal/jinja'
export { compileTemplate, type JinjaTemplate as CompiledTemplate, type RenderOptions } from '@rolecall/core/internal/jinja'
export { Template } from '@rolecall/core/internal/jinja'
export { TemplateError } from '@rolecall/core/internal/jinja'
export type { Limits } from '@rolecall/core/internal/python'
