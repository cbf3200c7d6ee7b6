// `rolecall/jinja`: Jinja2 as Hugging Face's transformers set it up for chat templates.

export { type ChatInput, type RenderedChat, type RenderedChatPieces, renderChat, renderChatPieces } from '../jinja/render-chat.ts'
export { compileTemplate, type RenderOptions, type Template as CompiledTemplate } from '../jinja/template.ts'
export { Template } from '../jinja/template-class.ts'
export { TemplateError } from '../jinja/template-error.ts'
export type { Limits } from '../python/limits.ts'
