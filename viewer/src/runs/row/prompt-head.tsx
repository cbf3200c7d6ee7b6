import type { RefObject } from 'preact'
import { textOf } from '../../../../src/base/text/index.ts'
import type { RowPrompt } from '../../../../src/evaluation/run/ask/row-prompts.ts'
import type { RowRecord } from '../../../../src/evaluation/run/record/run-record.ts'
import { rowWords } from '../../words/row.ts'

type PromptHeadProps = {
  prompts: readonly RowPrompt[]
  chosen: number
  record: RowRecord
  /** The most tokens that a prompt may have, where the config says so. */
  limit: number | undefined
  box: RefObject<HTMLDivElement | null>
}

/** What is to be known of a prompt before it is read: how long it is, what was noticed, how it is sent. */
export function PromptHead({ prompts, chosen, record, limit, box }: PromptHeadProps) {
  const told = rowWords()
  const { prompt } = prompts[Math.min(chosen, prompts.length - 1)]!.rendered
  const pieces = prompt.kind === 'completion' ? prompt.pieces : prompt.messages.flatMap(({ content }) => content)
  const notes = prompt.notes.length + (record.notes?.length ?? 0)
  const parts = [
    told.size(textOf(pieces).length),
    record.tokens.prompt > 0 && `${told.read(record.tokens.prompt)}${limit === undefined ? '' : told.ofLimit(limit)}`,
    prompts.length > 1 && told.requests(prompts.length),
    notes > 0 && told.notes(notes),
    prompt.kind === 'chat' && told.asMessages(prompt.messages.length),
  ]
  const toEnd = () => {
    const end = box.current?.querySelector('.prompt .cut, .prompt .piece:last-of-type')
    end?.scrollIntoView({ block: 'center' })
  }
  return (
    <div class="prompt-head">
      <span class="quiet">{parts.filter(Boolean).join(' · ')}</span>
      <button type="button" class="quiet-button" onClick={toEnd}>
        ↓ {told.toEnd}
      </button>
    </div>
  )
}
