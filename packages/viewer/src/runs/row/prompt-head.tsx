import { textOf } from '@rolecall/core/internal/text'
import type { RefObject } from 'preact'
import type { RowPrompt } from 'rolecall/internal/evaluation/run/ask/row-prompts'
import type { RowRecord } from 'rolecall/internal/evaluation/run/record/run-record'
import { rowTexts } from '../../texts/row.ts'

type PromptHeadProps = {
  prompts: readonly RowPrompt[]
  chosen: number
  record: RowRecord
  /** The maximum number of prompt tokens, if configured. */
  limit: number | undefined
  box: RefObject<HTMLDivElement | null>
}

/** Facts about a prompt: its length, notes, and how it is sent. */
export function PromptHead({ prompts, chosen, record, limit, box }: PromptHeadProps) {
  const ui = rowTexts()
  const { prompt } = prompts[Math.min(chosen, prompts.length - 1)]!.rendered
  const pieces = prompt.kind === 'completion' ? prompt.pieces : prompt.messages.flatMap(({ content }) => content)
  const notes = prompt.notes.length + (record.notes?.length ?? 0)
  const parts = [
    ui.size(textOf(pieces).length),
    record.tokens.prompt > 0 && `${ui.read(record.tokens.prompt)}${limit === undefined ? '' : ui.ofLimit(limit)}`,
    prompts.length > 1 && ui.requests(prompts.length),
    notes > 0 && ui.notes(notes),
    prompt.kind === 'chat' && ui.asMessages(prompt.messages.length),
  ]
  const toEnd = () => {
    const end = box.current?.querySelector('.prompt .cut, .prompt .piece:last-of-type')
    end?.scrollIntoView({ block: 'center' })
  }
  return (
    <div class="prompt-head">
      <span class="quiet">{parts.filter(Boolean).join(' · ')}</span>
      <button type="button" class="quiet-button" onClick={toEnd}>
        ↓ {ui.toEnd}
      </button>
    </div>
  )
}
