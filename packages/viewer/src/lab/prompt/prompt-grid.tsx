import { labTexts } from '../../texts/lab.ts'
import { noteText } from '../../texts/lab-notes.ts'
import type { Drawn, DrawnPrompt, Section } from '../engine/contract.ts'
import type { LabColumn, LabState, Mark } from '../lab-state.ts'
import { ColumnHead } from './column-head.tsx'
import { StretchView } from './stretch-view.tsx'

export const letters = ['A', 'B', 'C', 'D'] as const

export type GridProps = {
  state: LabState
  drawn: readonly Drawn[]
  /** The column whose template is shown, and which a phone shows. */
  shown: number
  onShow: (column: number) => void
  changeColumn: (index: number, column: LabColumn | undefined) => void
}

type Key = Section['key']

/** The prompts of all columns, divided by messages, so that equal parts lie side by side. */
export function PromptGrid({ state, drawn, shown, onShow, changeColumn }: GridProps) {
  const words = labTexts()
  const prompts = drawn.map((one) => ('prompt' in one ? one.prompt : undefined))
  const show = new Set(state.marks)
  const keys = keysOf(prompts)
  return (
    <div class={`prompts columns-${drawn.length}`} data-testid="prompts">
      {drawn.map((one, index) => (
        <ColumnHead key={`head ${index}`} {...{ state, index, drawn: one, onShow, changeColumn }} isShown={index === shown} />
      ))}
      {keys.map((key) => (
        <Row key={`row ${key}`} {...{ name: key, state, prompts, drawn, show, shown }} />
      ))}
      <div class="who">
        <h2>{words.what}</h2>
        <span>{words.notes}</span>
      </div>
      {drawn.map((one, index) => (
        <div key={`notes ${index}`} class={`notes cell ${index === shown ? 'shown' : ''}`}>
          {'prompt' in one ? (
            <Notes prompt={one.prompt} />
          ) : (
            <Refused {...{ drawn: one, column: state.columns[index], index, changeColumn }} />
          )}
        </div>
      ))}
    </div>
  )
}

type RowProps = {
  name: Key
  state: LabState
  prompts: readonly (DrawnPrompt | undefined)[]
  drawn: readonly Drawn[]
  show: ReadonlySet<Mark>
  shown: number
}

function Row({ name, state, prompts, drawn, show, shown }: RowProps) {
  const words = labTexts()
  const cells = prompts.map((prompt) => prompt?.sections.filter(({ key }) => key === name).flatMap(({ stretches }) => stretches) ?? [])
  const texts = cells.map((cell) => cell.map(({ text }) => text).join(''))
  const unlike = letters.filter((_, index) => index > 0 && index < cells.length && prompts[index] && texts[index] !== texts[0])
  const title =
    name === 'start'
      ? words.start
      : name === 'generation'
        ? words.generation
        : `${name + 1} ${state.source === 'row' ? '' : (state.messages[name]?.role ?? '')}`
  return (
    <>
      <div class="who">
        <h2>{title}</h2>
        {cells.length > 1 && show.has('differences') && (
          <span>{unlike.length > 0 ? `▨ ${words.unlike(unlike.join(', '))}` : `= ${words.alike}`}</span>
        )}
      </div>
      {cells.map((cell, index) =>
        cell.length === 0 && !(name === 'generation' && prompts[index]) ? (
          <div key={index} class={`turn gone cell ${index === shown ? 'shown' : ''}`}>
            {drawn[index] && 'prompt' in drawn[index] ? (typeof name === 'number' ? words.folded : words.nothing) : '✗'}
          </div>
        ) : (
          <div key={index} class={`turn cell ${index === shown ? 'shown' : ''}`} data-column={index}>
            <pre class="text" dir="ltr">
              {cell.map((stretch, at) => (
                <StretchView key={at} stretch={stretch} show={show} column={index} />
              ))}
            </pre>
            {name === 'generation' && <p class="speaks">▸ {words.speaks}</p>}
          </div>
        ),
      )}
    </>
  )
}

/** All parts that some prompt has, in the order of the chat. */
function keysOf(prompts: readonly (DrawnPrompt | undefined)[]): Key[] {
  const found = new Set(prompts.flatMap((prompt) => prompt?.sections.map(({ key }) => key) ?? []))
  const numbers = [...found].filter((key): key is number => typeof key === 'number').toSorted((one, other) => one - other)
  const generates = found.has('generation') || (found.size > 0 && prompts.some((prompt) => prompt?.next !== undefined))
  return [...(found.has('start') ? ['start' as const] : []), ...numbers, ...(generates ? ['generation' as const] : [])]
}

function Notes({ prompt: { notes, next, stops } }: { prompt: DrawnPrompt }) {
  const words = labTexts()
  const glyphs = { error: '✗', warning: '!', info: '·' }
  return (
    <>
      {notes.length === 0 && <p class="good">✓ {words.noNotes}</p>}
      {notes.map((note, index) => (
        <p key={index} class={note.severity} title={note.code}>
          <b aria-hidden="true">{glyphs[note.severity]}</b> {noteText(note)}
          {note.where !== undefined && <code> {note.where}</code>}
        </p>
      ))}
      {next && (
        <p class="info">
          <b aria-hidden="true">→</b>{' '}
          {'text' in next ? (
            <>
              {words.next} <code class="mono">{JSON.stringify(next.text).slice(1, -1)}</code>
            </>
          ) : (
            words.rewrites
          )}
        </p>
      )}
      {stops.length > 0 && (
        <p class="info">
          <b aria-hidden="true">■</b> {words.stops}{' '}
          {stops.map((stop) => (
            <code key={stop}>{stop} </code>
          ))}
        </p>
      )}
    </>
  )
}

type RefusedProps = { drawn: Drawn; column: LabColumn | undefined; index: number; changeColumn: GridProps['changeColumn'] }

/** Why there is no prompt, and what helps. */
function Refused({ drawn, column, index, changeColumn }: RefusedProps) {
  const words = labTexts()
  if (!('problem' in drawn)) return null
  const { where, problem, fix } = drawn.problem
  return (
    <div class="refused" role="alert" lang="en">
      <code>{where}</code>
      <p>✗ {problem}</p>
      {fix !== '' && <p class="fix">→ {fix}</p>}
      {column && column.roles === undefined && column.template === undefined && (
        <button type="button" onClick={() => changeColumn(index, { ...column, roles: 'auto' })}>
          {words.tryAuto}
        </button>
      )}
    </div>
  )
}
