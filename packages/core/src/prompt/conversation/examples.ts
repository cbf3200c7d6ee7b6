import type { Note } from '../../base/errors/note.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import type { Quirks } from '../../base/fidelity/quirks.ts'
import { control, isText, type TextPiece } from '../../base/text/index.ts'
import { fillMessage } from './compile-messages.ts'
import type { CompiledPromptTemplate, DialogueBody, TextBody } from './compile-template.ts'
import { type Item, isLoose, type LooseText, type Section } from './conversation.ts'
import { fillText } from './fill.ts'
import { fillItem } from './fill-item.ts'
import { type Fields, fieldText, type Row } from './row.ts'

/** The in-context examples that replace the ice token: one text, or turns with text between them. */
export type Examples = { kind: 'text'; pieces: readonly TextPiece[] } | { kind: 'sections'; parts: readonly (Section | LooseText)[] }

export type ExampleOptions = {
  outputColumn: string | undefined
  /** Between two examples of strings or label maps, and after the last; dialogues need none. */
  separator: string
  eos: string
  /** In place of examples, if there are none. */
  eosWithoutExamples: string
  quirks: Quirks
  notes: Note[]
}

/** The same examples with their texts changed; those with images are unchanged. */
export function mapExamples(examples: Examples, change: (pieces: readonly TextPiece[]) => readonly TextPiece[]): Examples {
  if (examples.kind === 'text') return { kind: 'text', pieces: change(examples.pieces) }
  const changeItem = (item: Item): Item => {
    if (isLoose(item)) return { ...item, loose: change(item.loose) }
    return item.content?.every(isText) ? { ...item, content: change(item.content) } : item
  }
  const parts = examples.parts.map((part) =>
    'items' in part ? { ...part, items: part.items.map(changeItem) } : { ...part, loose: change(part.loose) },
  )
  return { kind: 'sections', parts }
}

/** Renders example rows with the `ice_template`, answers included. */
export function renderExamples(template: CompiledPromptTemplate | undefined, rows: readonly Row[], options: ExampleOptions): Examples {
  const isDialogue = template?.body.kind === 'dialogue' || template?.body.kind === 'messages'
  const separator = isDialogue ? '' : options.separator
  const eos = isDialogue ? '' : rows.length === 0 || !template ? options.eosWithoutExamples : options.eos
  const [first, ...others] = template ? rows.map((row, example) => renderExample(template, { row, example }, options)) : []
  if (first === undefined) return { kind: 'text', pieces: eos === '' ? [] : [written(eos, 'ice_eos_token')] }
  if (first.kind === 'text')
    return {
      kind: 'text',
      pieces: [...joinTexts([first, ...others], separator, template!), ...(eos === '' ? [] : [written(eos, 'ice_eos_token')])],
    }
  const between = separator === '' ? [] : [looseText(separator, 'ice_separator')]
  const parts = [first, ...others].flatMap((example) => [
    ...(example.kind === 'text' ? [{ loose: example.pieces, path: template!.path }] : example.parts),
    ...between,
  ])
  return { kind: 'sections', parts: isDialogue ? parts : [...parts, looseText(eos, 'ice_eos_token')] }
}

function renderExample(template: CompiledPromptTemplate, fields: Fields, { outputColumn, quirks, notes }: ExampleOptions): Examples {
  const gold = goldOf(template, fields, outputColumn)
  const { body } = template
  if (body.kind === 'messages') {
    const items = body.messages.flatMap((message) => fillMessage(message, fields, quirks, notes))
    return { kind: 'sections', parts: [{ kind: 'example', inside: 'chat', items, fields }] }
  }
  const chosen: TextBody | DialogueBody =
    body.kind === 'labels' ? bodyOfLabel(template, body.labels, gold, (label) => body.bodyOf(label)) : body
  // The separator of context and answer stays in examples, as in the reference.
  if (chosen.kind === 'text') return { kind: 'text', pieces: fillText(chosen.text, { fields, quirks, keepSeparator: true }) }
  if (chosen.begin.length > 0 || chosen.end.length > 0) {
    // An ice_template that is also the prompt_template has a begin; only its rounds are examples.
    notes.push({
      code: 'example-begin-unused',
      where: template.path,
      text: 'examples use only `round` of the ice_template; its begin and end are not repeated for them',
    })
  }
  const items = chosen.round.map((item) => fillItem(item, { fields, quirks, keepSeparator: true }))
  return { kind: 'sections', parts: [{ kind: 'example', items, fields }] }
}

function goldOf(template: CompiledPromptTemplate, fields: Fields, outputColumn: string | undefined): string {
  if (template.body.kind === 'messages') return ''
  const gold = outputColumn === undefined ? undefined : fieldText(fields, outputColumn)
  if (gold === undefined) {
    throw new PromptError('missing-output-column', {
      where: outputColumn === undefined ? 'reader_cfg.output_column' : `${template.path} › example ${fields.example}`,
      problem:
        outputColumn === undefined ? 'examples need an answer column, and none is declared' : `the example has no column "${outputColumn}"`,
      fix:
        outputColumn === undefined
          ? 'name the column that holds the answers as reader_cfg.output_column'
          : 'add it to the row, or correct reader_cfg.output_column',
    })
  }
  return gold
}

function bodyOfLabel<Body>(
  template: CompiledPromptTemplate,
  labels: readonly string[],
  label: string,
  bodyOf: (label: string) => Body,
): Body {
  if (labels.includes(label)) return bodyOf(label)
  throw new PromptError('missing-label', {
    where: `${template.path}.template`,
    problem: `an example's answer is "${label}", for which there is no template (labels: ${labels.join(', ')})`,
    fix: 'add a template for it, or correct the row',
  })
}

function joinTexts(examples: readonly Examples[], separator: string, template: CompiledPromptTemplate): TextPiece[] {
  return examples.flatMap((example, index) => {
    if (example.kind !== 'text') {
      throw new PromptError('mixed-examples', {
        where: `${template.path}.template`,
        problem: 'some labels have a string and others a dialogue, so their examples cannot be joined',
        fix: 'write all labels the same way',
      })
    }
    return index === 0 || separator === '' ? example.pieces : [written(separator, 'ice_separator'), ...example.pieces]
  })
}

function written(text: string, option: string): TextPiece {
  return control(text, { by: 'template', path: `retriever.${option}` })
}

function looseText(text: string, option: string): LooseText {
  return { loose: text === '' ? [] : [written(text, option)], path: `retriever.${option}` }
}
