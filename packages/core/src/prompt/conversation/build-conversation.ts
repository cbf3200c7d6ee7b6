import { distinctNotes, type Note } from '../../base/errors/note.ts'
import { PromptError } from '../../base/errors/prompt-error.ts'
import { replaceText, type TextPiece } from '../../base/text/index.ts'
import type { MessagesBody } from './compile-messages.ts'
import type { DialogueBody, TextBody } from './compile-template.ts'
import type { Conversation } from './conversation.ts'
import { type Examples, mapExamples, renderExamples } from './examples.ts'
import { fillText, noteUnknownFields, refill } from './fill.ts'
import { fillDialogue } from './fill-dialogue.ts'
import { fillMessages } from './fill-messages.ts'
import { checkIceToken, checkPlaceOfExamples } from './place-of-examples.ts'
import type { DatasetTemplates, FillContext, Question } from './question.ts'
import type { Fields } from './row.ts'

/** Fills the dataset's templates for one row: the conversation before any format. */
export function buildConversation(templates: DatasetTemplates, question: Question): Conversation {
  const { prompt, ice } = templates
  const notes: Note[] = [...prompt.notes, ...(ice && ice !== prompt ? ice.notes : [])]
  const rows = question.examples ?? []
  checkPlaceOfExamples(templates, rows)
  const fields = fieldsOf(templates, question)
  const rendered = renderExamples(ice, rows, { ...templates, outputColumn: templates.outputColumn, notes })
  const context = { templates, question, fields, examples: asTheReferenceLeavesThem(rendered, templates, question, fields), notes }
  const body = prompt.body.kind === 'labels' ? chooseLabel(templates, question, notes) : prompt.body
  checkIceToken(body, context, rows.length)
  const content = fillBody(body, context)
  return { ...content, notes: distinctNotes(notes) }
}

/**
 * In generation, but not for perplexity, the reference also removes the prompt's separator from the examples. And it fills
 * the examples once more, with the test row.
 */
function asTheReferenceLeavesThem(examples: Examples, { prompt, quirks }: DatasetTemplates, { mode }: Question, fields: Fields): Examples {
  const token = mode === 'gen' ? prompt.sepToken : undefined
  const again = quirks.has('data-reexpanded') && prompt.body.kind !== 'messages'
  const withoutSeparator = (pieces: readonly TextPiece[]): readonly TextPiece[] => {
    if (token === undefined) return pieces
    if (again) return replaceText(pieces, token, [])
    return pieces.map((piece) => (piece.source.by === 'template' ? { ...piece, text: piece.text.replaceAll(token, '') } : piece))
  }
  if (token === undefined && !again) return examples
  // Examples that are one text are filled again together with the text around them.
  return mapExamples(examples, (pieces) =>
    again && examples.kind === 'sections' ? refill(withoutSeparator(pieces), fields) : withoutSeparator(pieces),
  )
}

function fillBody(body: TextBody | DialogueBody | MessagesBody, context: FillContext) {
  switch (body.kind) {
    case 'text':
      return { kind: 'text', content: fillWholeText(body, context) } as const
    case 'dialogue':
      return { kind: 'dialogue', sections: fillDialogue(body, context) } as const
    case 'messages':
      return { kind: 'dialogue', sections: fillMessages(body, context) } as const
    default:
      return body satisfies never
  }
}

/** Masks the answer, so that it cannot leak into a generative prompt. */
function fieldsOf({ outputColumn, mask, prompt, quirks }: DatasetTemplates, { row, mode }: Question): Fields {
  const unmasked = prompt.body.kind === 'messages' && quirks.has('messages-unmasked')
  if (mode !== 'gen' || outputColumn === undefined || unmasked) return { row }
  return { row, masked: { column: outputColumn, text: mask } }
}

function chooseLabel({ prompt }: DatasetTemplates, { mode, label }: Question, notes: Note[]): TextBody | DialogueBody {
  const { body } = prompt
  if (body.kind !== 'labels') throw new Error('only called for label maps')
  if (mode === 'gen') {
    const first = body.labels[0]!
    notes.push({
      code: 'labels-in-generation',
      where: `${prompt.path}.template`,
      text: `a generative prompt needs one template, and this maps labels; the first, "${first}", is used`,
    })
    return body.bodyOf(first)
  }
  if (label !== undefined && body.labels.includes(label)) return body.bodyOf(label)
  throw new PromptError('missing-label', {
    where: `${prompt.path}.template`,
    problem: label === undefined ? 'a label must be chosen' : `there is no template for the label "${label}"`,
    fix: `choose one of: ${body.labels.join(', ')}`,
  })
}

function fillWholeText(body: TextBody, context: FillContext): TextPiece[] {
  const { templates, question, fields, examples } = context
  noteUnknownFields(body.text, fields, context.notes)
  if (examples.kind === 'sections' && body.text.segments.some((segment) => segment.kind === 'ice')) {
    throw new PromptError('dialogue-in-string', {
      where: body.text.path,
      problem: 'the examples are dialogues, and this template is a string',
      fix: 'write both ice_template and prompt_template as strings, or both as dialogues',
    })
  }
  const marksAnswer = question.mode === 'ppl'
  const pieces = fillText(body.text, {
    fields,
    quirks: templates.quirks,
    keepSeparator: question.keepSeparator && marksAnswer,
    marksAnswer,
    examples: examples.kind === 'text' ? examples.pieces : [],
  })
  if (!marksAnswer || pieces.some((piece) => piece.answer)) return pieces
  // Only the answer column shows what the model must produce.
  return pieces.map((piece) =>
    isAskedField(piece) && piece.source.path === templates.outputColumn ? { ...piece, answer: true as const } : piece,
  )
}

function isAskedField({ source }: TextPiece): boolean {
  return source.by === 'field' && source.example === undefined
}
