import { fieldsInText, type NameInBraces } from '@rolecall/core/internal/conversation'
import type { DatasetConfig } from '../../config/config-schema.ts'

/** A field of a template, and its place. */
export type TemplateField = NameInBraces & { where: string }

/** Fields that a row must have; `seen` are examples that have been checked. */
export type NeededFields = { asked: readonly TemplateField[]; examples: readonly TemplateField[]; seen: WeakSet<object> }

type Template = { template?: unknown; messages?: unknown; format_variables?: boolean } | undefined

/** The fields of the prompt template and of the example template. */
export function templateFields({ abbr, infer_cfg: infer }: DatasetConfig): { asked: TemplateField[]; examples: TemplateField[] } {
  const where = `${abbr === undefined ? '' : `${abbr} › `}infer_cfg`
  const prompt = (infer.prompt_template ?? infer.ice_template) as Template
  const place = infer.prompt_template ? 'prompt_template' : 'ice_template'
  return {
    asked: fieldsOf(prompt, `${where}.${place}`),
    examples: infer.ice_template ? fieldsOf(infer.ice_template as Template, `${where}.ice_template`) : [],
  }
}

/** The fields of one template. */
export function fieldsOf(template: Template, where: string): TemplateField[] {
  if (!template) return []
  if (Array.isArray(template.messages)) {
    if (template.format_variables === false) return []
    return template.messages.flatMap((message: unknown, index) => {
      if (typeof message !== 'object' || message === null) return []
      const { content, tool_calls: calls } = message as { content?: unknown; tool_calls?: unknown }
      const place = `${where}.messages[${index}]`
      const said = typeof content === 'string' ? inText(content, `${place}.content`) : []
      return [...said, ...inTexts(calls, `${place}.tool_calls`)]
    })
  }
  return inTexts(template.template, `${where}.template`)
}

/** Keys of a turn that are not filled from the row. */
const unfilled: ReadonlySet<string> = new Set(['role', 'fallback_role', 'name', 'tool_call_id'])

function inTexts(value: unknown, where: string): TemplateField[] {
  if (typeof value === 'string') return inText(value, where)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, entry]) => {
    // Roles and call ids are not text.
    if ('role' in value && unfilled.has(key)) return []
    return inTexts(entry, Array.isArray(value) ? `${where}[${key}]` : `${where}.${key}`)
  })
}

function inText(text: string, where: string): TemplateField[] {
  return fieldsInText(text).map((field) => ({ ...field, where }))
}
