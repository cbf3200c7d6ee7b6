import type { Constraint } from '../../constrain/constraint.ts'

/** What a reply may be, as xgrammar and the servers built on it (vLLM, SGLang, TensorRT-LLM, MLC) take it. */
export type TagFormat =
  | { type: 'const_string'; value: string }
  | { type: 'json_schema'; json_schema: unknown }
  | { type: 'any_text' }
  | { type: 'regex'; pattern: string }
  | { type: 'grammar'; grammar: string }
  | { type: 'sequence'; elements: readonly TagFormat[] }
  | { type: 'or'; elements: readonly TagFormat[] }
  | Tag
  | { type: 'triggered_tags'; triggers: readonly string[]; tags: readonly Tag[]; at_least_one: boolean; stop_after_first: boolean }
  | { type: 'tags_with_separator'; tags: readonly Tag[]; separator: string; at_least_one: boolean; stop_after_first: boolean }

/** Something between two texts. */
export type Tag = { type: 'tag'; begin: string; content: TagFormat; end: string }

export type StructuralTag = { type: 'structural_tag'; format: TagFormat }

/** Nothing at all, which xgrammar takes only as a grammar. */
export const nothing: TagFormat = { type: 'grammar', grammar: 'root ::= ""' }

/** Formats in a row, without those that say nothing. */
export function inRow(elements: readonly TagFormat[]): TagFormat {
  const flat = elements.filter((element) => element !== nothing && !(element.type === 'const_string' && element.value === ''))
  return flat.length === 1 ? flat[0]! : flat.length === 0 ? nothing : { type: 'sequence', elements: flat }
}

/** The same as a constraint for models that run here. */
export function constraintOf(format: TagFormat, where: string): Constraint {
  switch (format.type) {
    case 'const_string':
      return text(format.value, where)
    case 'json_schema':
      return { kind: 'json-schema', schema: format.json_schema, where }
    case 'any_text':
      return { kind: 'text-without', texts: [], where }
    case 'regex':
      return { kind: 'pattern', pattern: format.pattern, where }
    case 'grammar':
      return { kind: 'sequence', parts: [] }
    case 'sequence':
      return { kind: 'sequence', parts: format.elements.map((element) => constraintOf(element, where)) }
    case 'or':
      return { kind: 'any-of', parts: format.elements.map((element) => constraintOf(element, where)) }
    case 'tag':
      return tagConstraint(format, where)
    case 'triggered_tags': {
      const free: Constraint = { kind: 'text-without', texts: format.triggers, where }
      const tags = alternatives(format.tags, where)
      const one: Constraint = { kind: 'sequence', parts: [free, tags, ...(format.stop_after_first ? [] : [free])] }
      if (format.stop_after_first) return format.at_least_one ? one : { kind: 'any-of', parts: [free, one] }
      const next: Constraint = { kind: 'sequence', parts: [tags, free] }
      return { kind: 'repeat', first: format.at_least_one ? one : free, next }
    }
    case 'tags_with_separator': {
      const tags = alternatives(format.tags, where)
      if (format.stop_after_first) return tags
      return { kind: 'repeat', first: tags, next: { kind: 'sequence', parts: [text(format.separator, where), tags] } }
    }
    default:
      return format satisfies never
  }
}

function alternatives(tags: readonly Tag[], where: string): Constraint {
  return { kind: 'any-of', parts: tags.map((tag) => tagConstraint(tag, where)) }
}

function tagConstraint({ begin, content, end }: Tag, where: string): Constraint {
  // Free text ends where the tag does.
  const inside: Constraint = content.type === 'any_text' ? { kind: 'text-without', texts: [end], where } : constraintOf(content, where)
  return { kind: 'sequence', parts: [text(begin, where), inside, text(end, where)] }
}

function text(value: string, where: string): Constraint {
  return value === '' ? { kind: 'sequence', parts: [] } : { kind: 'choice', choices: [value], where }
}
