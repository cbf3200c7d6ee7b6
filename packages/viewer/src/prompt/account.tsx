import type { Prompt, Stop } from '@rolecall/core/internal/format'
import { textOf } from '@rolecall/core/internal/text'
import type { RowPrompt } from 'rolecall/internal/evaluation/run/ask/row-prompts'
import type { RecordedNote } from 'rolecall/internal/evaluation/run/record/run-record'
import { NoteLine } from '../parts/note-line.tsx'
import { promptTexts } from '../texts/prompt.ts'
import { visibleText } from './visible-text.tsx'

type AccountProps = { prompt: RowPrompt; tokenized?: { count: number; by: string } | undefined; notes?: readonly RecordedNote[] }

/** Facts about a prompt: size, where generation starts, stops, adaptations. */
export function Account({ prompt: { rendered, mode, examples, label }, tokenized, notes = [] }: AccountProps) {
  const { prompt } = rendered
  const text = prompt.kind === 'completion' ? textOf(prompt.pieces) : prompt.messages.map(({ content }) => textOf(content)).join('')
  const all = [...prompt.notes, ...notes]
  const words = promptTexts()
  const sizes = [words.characters(text.length)]
  if (prompt.kind === 'chat') sizes.push(words.messages(prompt.messages.length))
  if (tokenized) sizes.push(words.tokensBy(tokenized.count, tokenized.by))
  return (
    <div class="account">
      <dl>
        <div>
          <dt>{words.size}</dt>
          <dd>{words.listed(sizes)}</dd>
        </div>
        {examples.used + examples.dropped > 0 && (
          <div>
            <dt>{words.examples}</dt>
            <dd>{words.examplesUsed(examples.used, examples.dropped)}</dd>
          </div>
        )}
        <div>
          <dt>{mode === 'gen' ? words.generation : words.answer}</dt>
          <dd>{mode === 'gen' ? startOf(prompt) : addedBy(prompt, label)}</dd>
        </div>
        {prompt.stop.length > 0 && (
          <div>
            <dt>{words.stops}</dt>
            <dd class="stops">
              {stopsOf(prompt.stop).map(([name, paths]) => (
                <span key={name} class="stop" title={paths.join(', ')}>
                  {visibleText(name, true)}
                </span>
              ))}
            </dd>
          </div>
        )}
      </dl>
      {all.length > 0 && (
        <ul class="notes" aria-label={words.notes}>
          {all.map((note, index) => (
            <li key={index}>
              <NoteLine code={note.code} text={note.text} />
              {note.where !== undefined && <code>{visibleText(note.where, false)}</code>}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function startOf(prompt: Prompt) {
  const words = promptTexts()
  if (prompt.kind === 'chat') return words.startsWithMessage
  const last = prompt.pieces.findLast((piece) => !('text' in piece) || piece.text !== '')
  if (!last) return words.emptyPrompt
  return (
    <>
      {words.startsAfter('text' in last ? <q>{visibleText(last.text.slice(-40), true)}</q> : words.tokenIds)}{' '}
      <code>{last.source.path}</code>
    </>
  )
}

function addedBy(prompt: Prompt, label: string | undefined) {
  const words = promptTexts()
  if (!prompt.answer) return words.noAnswerFound
  const { start, end } = prompt.answer
  const pieces =
    prompt.kind === 'completion' ? prompt.pieces.slice(start, end) : prompt.messages.slice(start, end).flatMap(({ content }) => content)
  const added = <q>{visibleText(textOf(pieces).slice(0, 200), true)}</q>
  return label === undefined ? words.answerIs(added) : words.labelAdds(label, added)
}

/** Each stop once, with everything that sets it. */
function stopsOf(stops: readonly Stop[]): [name: string, paths: string[]][] {
  const found = new Map<string, string[]>()
  for (const stop of stops) found.set(nameOf(stop), [...(found.get(nameOf(stop)) ?? []), stop.source.path])
  return [...found]
}

function nameOf(stop: Stop): string {
  return 'id' in stop ? `#${stop.id}` : 'token' in stop ? stop.token : stop.text
}
