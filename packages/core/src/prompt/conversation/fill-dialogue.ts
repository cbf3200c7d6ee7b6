import { PromptError } from '../../base/errors/prompt-error.ts'
import type { DialogueBody, ItemTemplate } from './compile-template.ts'
import type { Item, LooseText, Section } from './conversation.ts'
import { fillText, noteUnknownFields, type TemplateText } from './fill.ts'
import { fillItem } from './fill-item.ts'
import type { FillContext } from './question.ts'
import type { Fields } from './row.ts'

/** The sections of a dialogue, with the examples in place of the ice token. */
export function fillDialogue(body: DialogueBody, context: FillContext): Section[] {
  return (['begin', 'round', 'end'] as const).flatMap((part) => {
    const filled = body[part].flatMap((item) => fillPart(item, context))
    if (part === 'round' && body.lacksRound) return [{ kind: part, items: [], isAbsent: true }]
    // An empty round is kept: the format decides what it means.
    if (filled.length === 0) return part === 'round' ? [{ kind: part, items: [], fields: context.fields }] : []
    return asSections(filled, part, context.fields)
  })
}

/** An item of the template with the examples inserted: sections if they are dialogues. */
function fillPart(item: ItemTemplate, context: FillContext): (Item | Section)[] {
  const { templates, question, fields, examples } = context
  const { quirks } = templates
  const isComplete = question.mode === 'ppl'
  const options = { fields, quirks, keepSeparator: isComplete && question.keepSeparator, marksAnswer: isComplete }
  const text = 'loose' in item ? item.loose : item.prompt
  if (text) noteUnknownFields(text, fields, context.notes)
  if (examples.kind === 'text') return [fillItem(item, { ...options, examples: examples.pieces })]
  if (!('loose' in item)) {
    if (item.prompt?.segments.some((segment) => segment.kind === 'ice')) throw examplesInTurn(item.path, templates.prompt.iceToken!)
    return [fillItem(item, options)]
  }
  return splitAtExamples(item.loose).flatMap((stretch, index) => [
    ...(index > 0 ? examples.parts.map((part) => placedAt(part, stretch.path)) : []),
    ...(stretch.segments.length > 0 ? [{ loose: fillText(stretch, options), path: stretch.path }] : []),
  ])
}

function placedAt<Part extends Section | LooseText>(part: Part, path: string): Part {
  return 'items' in part ? { ...part, placedAt: path } : part
}

function splitAtExamples(text: TemplateText): TemplateText[] {
  const stretches: TemplateText[] = [{ ...text, segments: [] }]
  for (const segment of text.segments) {
    if (segment.kind === 'ice') stretches.push({ ...text, segments: [] })
    else stretches[stretches.length - 1] = { ...text, segments: [...stretches.at(-1)!.segments, segment] }
  }
  return stretches
}

function asSections(parts: readonly (Item | Section)[], kind: 'begin' | 'round' | 'end', fields: Fields): Section[] {
  const sections: Section[] = []
  let items: Item[] = []
  const close = () => {
    if (items.length > 0) sections.push({ kind, items, fields })
    items = []
  }
  for (const part of parts) {
    if (!('items' in part)) items.push(part)
    else {
      close()
      sections.push({ ...part, inside: part.inside ?? kind })
    }
  }
  close()
  return sections
}

function examplesInTurn(path: string, iceToken: string): PromptError {
  return new PromptError('dialogue-in-turn', {
    where: `${path}.prompt`,
    problem: 'the examples are dialogues, and their place is inside a turn',
    fix: `write '${iceToken}' as a separate entry in begin, or write the ice_template as a string`,
  })
}
