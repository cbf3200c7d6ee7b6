import { withCompiler } from '@rolecall/core/internal/format'
import { compileTemplate, type TemplateCompiler, type Written } from '@rolecall/core/internal/jinja'
import type { ModelConfig } from 'rolecall/internal/evaluation/config/config-schema'

/** What the statements of a template wrote, by rendered text, for recent renders. */
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

/** The model with a traced chat template. The text is the same. */
export function withTracing(model: ModelConfig): ModelConfig {
  return typeof model.chat_template === 'string' ? withCompiler(model, compileTraced) : model
}

/** The statements that wrote a text rendered here, or a prefix of it. */
export function writtenOf(text: string): readonly Written[] {
  const exact = known.get(text)
  if (exact) return exact
  for (const [whole, written] of known) if (text !== '' && whole.startsWith(text)) return written
  return []
}
