import type { RowPrompt } from '../../../src/ask/row-prompts.ts'
import type { Prompt, Stop } from '../../../src/format/format.ts'
import type { Note } from '../../../src/note.ts'
import { textOf } from '../../../src/text/index.ts'
import { visibleText } from './visible-text.tsx'

type AccountProps = { prompt: RowPrompt; tokenized?: { count: number; by: string } | undefined; notes?: readonly Note[] }

/** What there is to say about a prompt: its size, where generation starts, what stops it, what was adapted. */
export function Account({ prompt: { rendered, mode, examples, label }, tokenized, notes = [] }: AccountProps) {
  const { prompt } = rendered
  const text = prompt.kind === 'completion' ? textOf(prompt.pieces) : prompt.messages.map(({ content }) => textOf(content)).join('')
  const all = [...prompt.notes, ...notes]
  return (
    <div class="account">
      <dl>
        <div>
          <dt>size</dt>
          <dd>
            {text.length.toLocaleString('en')} characters
            {prompt.kind === 'chat' && `, ${prompt.messages.length} messages`}
            {tokenized && `, ${tokenized.count.toLocaleString('en')} tokens by ${tokenized.by}`}
          </dd>
        </div>
        {examples.used + examples.dropped > 0 && (
          <div>
            <dt>examples</dt>
            <dd>
              {examples.used} shown{examples.dropped > 0 && `, ${examples.dropped} left out`}
            </dd>
          </div>
        )}
        <div>
          <dt>{mode === 'gen' ? 'generation' : 'answer'}</dt>
          <dd>{mode === 'gen' ? startOf(prompt) : addedBy(prompt, label)}</dd>
        </div>
        {prompt.stop.length > 0 && (
          <div>
            <dt>stops</dt>
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
        <ul class="notes" aria-label="notes">
          {all.map((note, index) => (
            <li key={index}>
              <b>{note.code}</b> {visibleText(note.text, false)}
              {note.where !== undefined && <code>{visibleText(note.where, false)}</code>}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function startOf(prompt: Prompt) {
  if (prompt.kind === 'chat') return "starts with the assistant's next message"
  const last = prompt.pieces.findLast((piece) => !('text' in piece) || piece.text !== '')
  if (!last) return 'the prompt is empty'
  return (
    <>
      starts after {'text' in last ? <q>{visibleText(last.text.slice(-40), true)}</q> : 'token ids'} <code>{last.source.path}</code>
    </>
  )
}

function addedBy(prompt: Prompt, label: string | undefined) {
  if (!prompt.answer) return 'it could not be told from the question'
  const { start, end } = prompt.answer
  const pieces =
    prompt.kind === 'completion' ? prompt.pieces.slice(start, end) : prompt.messages.slice(start, end).flatMap(({ content }) => content)
  return (
    <>
      {label === undefined ? 'it is ' : `label ${label} adds `}
      <q>{visibleText(textOf(pieces).slice(0, 200), true)}</q>
    </>
  )
}

/** Each stop once, with all who ask for it. */
function stopsOf(stops: readonly Stop[]): [name: string, paths: string[]][] {
  const found = new Map<string, string[]>()
  for (const stop of stops) found.set(nameOf(stop), [...(found.get(nameOf(stop)) ?? []), stop.source.path])
  return [...found]
}

function nameOf(stop: Stop): string {
  return 'id' in stop ? `#${stop.id}` : 'token' in stop ? stop.token : stop.text
}
