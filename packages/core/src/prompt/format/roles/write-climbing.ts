import type { Note } from '../../../base/errors/note.ts'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { TemplateError } from '../../../base/jinja/index.ts'
import type { TextPiece } from '../../../base/text/index.ts'
import type { Turns } from '../adapt/script.ts'
import type { LostText } from '../chat-template/lost-texts.ts'
import type { Prompt } from '../format.ts'
import { climb, heights } from './climb.ts'
import type { RolesPolicy } from './roles-setting.ts'
import type { CallForm, TemplateRoles } from './template-roles.ts'

/** A written script, and which of its texts the template lost or moved. */
export type WrittenScript = { prompt: Prompt; lost: readonly LostText[]; isInOrder: boolean }

type Ladder = { roles: TemplateRoles; policy: RolesPolicy; write(script: Turns, callForm: CallForm | undefined): WrittenScript }

/**
 * Writes a conversation with as much of the template's own way as it has for it. What was written is checked: if a whole text is missing
 * or out of place, or the template raises an error, more of the conversation becomes the text of users and answers.
 */
export function writeClimbing(script: Turns, { roles, policy, write }: Ladder): Prompt {
  let best: { prompt: Prompt; faults: number } | undefined
  let refusal: TemplateError | undefined
  for (const height of heights) {
    const notes: Note[] = []
    try {
      const { script: climbed, callForm } = climb(script, roles, { policy, notes }, height)
      const { prompt, lost, isInOrder } = write({ ...climbed, notes: [...script.notes, ...notes] }, callForm)
      const faults = lost.filter(({ extent }) => extent === 'whole').length + (isInOrder ? 0 : 1)
      if (faults === 0) return prompt
      if (best === undefined || faults < best.faults) best = { prompt, faults }
    } catch (error) {
      if (!(error instanceof TemplateError) || error.type === 'LimitError') throw error
      refusal ??= error
    }
  }
  if (best !== undefined) return best.prompt
  throw new PromptError('roles-refused', {
    where: refusal?.where ?? 'chat_template',
    problem:
      refusal === undefined
        ? 'the chat template writes nothing of the conversation'
        : `the chat template refuses the conversation in any form: ${refusal.problem}`,
    fix: refusal?.fix ?? 'use another template',
  })
}

/** Whether the contents of messages were written in the order of the messages. */
export function areInOrder(pieces: readonly TextPiece[]): boolean {
  const seen = new Set<number>()
  let latest = -1
  for (const { source } of pieces) {
    const number = Number(/^messages\[(\d+)\]\.content/.exec(source.path)?.[1] ?? -1)
    if (number < 0 || seen.has(number)) continue
    if (number < latest) return false
    seen.add(number)
    latest = number
  }
  return true
}
