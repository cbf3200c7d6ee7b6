import { compileTemplate, type TemplateCompiler, type Written } from '../../../src/base/jinja/index.ts'
import type { ModelConfig } from '../../../src/evaluation/config/config-schema.ts'
import { withCompiler } from '../../../src/prompt/format/chat-template/compiled-by.ts'

/** What the statements of a template wrote, by the text that they wrote: of the last texts that were rendered. */
const known = new Map<string, readonly Written[]>()
const mostKnown = 40

const compileTraced: TemplateCompiler = (source, options) => {
  const template = compileTemplate(source, { ...options, isTraced: true })
  return {
    ...template,
    renderPieces(variables, originOf, settings) {
      const rendered = template.renderPieces(variables, originOf, settings)
      known.delete(rendered.text)
      known.set(rendered.text, rendered.written ?? [])
      for (const text of known.keys()) if (known.size > mostKnown) known.delete(text)
      return rendered
    },
  }
}

/** The model with a chat template that says which of its code wrote what. The text is the same. */
export function withTracing(model: ModelConfig): ModelConfig {
  return typeof model.chat_template === 'string' ? withCompiler(model, compileTraced) : model
}

/** What statements wrote of a text that was rendered here; of one that was cut at its end, too. */
export function writtenOf(text: string): readonly Written[] {
  const exact = known.get(text)
  if (exact) return exact
  for (const [whole, written] of known) if (text !== '' && whole.startsWith(text)) return written
  return []
}
