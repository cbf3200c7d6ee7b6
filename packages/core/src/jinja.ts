// `@rolecall/core/jinja`: Jinja2 as Hugging Face's transformers configures it for chat templates.

export {
  type ChatInput,
  type RenderedChat,
  type RenderedChatPieces,
  renderChat as renderChatTemplate,
  renderChatPieces as renderChatTemplatePieces,
} from './base/jinja/render-chat.ts'
export { compileTemplate, type JinjaTemplate as CompiledTemplate, type RenderOptions } from './base/jinja/template.ts'
export { Template } from './base/jinja/template-class.ts'
export { TemplateError } from './base/jinja/template-error.ts'
export type { Limits } from './base/python/python-limits.ts'
export { renderTemplate, type TemplateOptions } from './model/render-template.ts'
