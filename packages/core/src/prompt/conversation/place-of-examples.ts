import { PromptError } from '../../base/errors/prompt-error.ts'
import type { MessagesBody } from './compile-messages.ts'
import type { DialogueBody, TextBody } from './compile-template.ts'
import type { DatasetTemplates, FillContext } from './question.ts'
import type { Row } from './row.ts'

/** Examples need a template that says how they are written, and a place in the prompt. */
export function checkPlaceOfExamples({ prompt, ice }: DatasetTemplates, rows: readonly Row[]): void {
  if (rows.length === 0) return
  if (!ice) {
    throw new PromptError('examples-without-template', {
      where: prompt.path,
      problem: `there ${rows.length === 1 ? 'is 1 example' : `are ${rows.length} examples`} and no ice_template that says how they are written`,
      fix: 'add an ice_template, or use ZeroRetriever',
    })
  }
  if (prompt.iceToken === undefined) {
    throw new PromptError('examples-without-place', {
      where: `${prompt.path}.ice_token`,
      problem: `there ${rows.length === 1 ? 'is 1 example' : `are ${rows.length} examples`}, and nothing says where they go`,
      fix: 'set ice_token, and write it in the template where the examples go',
    })
  }
}

/** An ice token that the template does not contain would lose the examples. */
export function checkIceToken(
  body: TextBody | DialogueBody | MessagesBody,
  { templates, examples, notes }: FillContext,
  count: number,
): void {
  const { prompt, quirks } = templates
  if (prompt.iceToken === undefined || prompt.iceToken === '') return
  const placed = hasPlace(body) && (body.kind !== 'messages' || examples.kind === 'sections')
  if (placed || (count === 0 && body.kind === 'messages')) return
  const problem = `the ice token "${prompt.iceToken}" stands nowhere in the template`
  if (count === 0 || quirks.has('ice-token-unused')) {
    notes.push({
      code: 'ice-token-unused',
      where: prompt.path,
      text: count === 0 ? problem : `${problem}: ${count} examples were left out`,
    })
    return
  }
  const lost = count === 1 ? '1 example would be lost' : `${count} examples would be lost`
  if (body.kind === 'messages' && hasPlace(body)) {
    throw new PromptError('examples-not-messages', {
      where: templates.ice?.path ?? prompt.path,
      problem: `the examples are not messages, so ${lost}`,
      fix: 'write the ice_template with messages, too',
    })
  }
  throw new PromptError('ice-token-missing', {
    where: prompt.path,
    problem: `${problem}, so ${lost}`,
    fix: `write '${prompt.iceToken}' where the examples go, e.g. as an entry of ${body.kind === 'messages' ? 'messages' : 'begin'}`,
  })
}

function hasPlace(body: TextBody | DialogueBody | MessagesBody): boolean {
  if (body.kind === 'messages') return body.messages.some((message) => message.kind === 'ice')
  const texts =
    body.kind === 'text'
      ? [body.text]
      : [...body.begin, ...body.round, ...body.end].map((item) => ('loose' in item ? item.loose : item.prompt))
  return texts.some((text) => text?.segments.some((segment) => segment.kind === 'ice'))
}
