import { useEffect, useState } from 'preact/hooks'
import { lazy } from '../../parts/lazy.tsx'
import { labTexts } from '../../texts/lab.ts'
import type { Example } from '../config/examples.ts'
import type { Problem, RowConversation } from '../engine/contract.ts'
import type { InputProps } from './input-pane.tsx'

/** The editor, with its completion from the schema of configs, is loaded with the first row. */
const ConfigEditor = lazy(async () => (await import('./config-editor.tsx')).ConfigEditor)

const modes = ['', 'gen', 'ppl'] as const

/** A row in a dataset's template, as OpenCompass and Rolecall write both. */
export function RowForm({ state, change, problem }: InputProps & { problem: Problem | undefined }) {
  const words = labTexts()
  const { row, source } = state
  const [typed, setTyped] = useState(row)
  const [revision, setRevision] = useState(0)
  useEffect(() => {
    if (typed.dataset === row.dataset && typed.row === row.row) return
    setTyped(row)
    setRevision((number) => number + 1)
  }, [row])
  const set = (changes: Partial<RowConversation>) => {
    const next = { ...state.row, ...changes }
    setTyped(next)
    change({ row: next, source: 'row' })
  }
  return (
    <>
      {source === 'messages' && (
        <button type="button" class="wide-button" onClick={() => change({ source: 'row' })}>
          {words.useRow}
        </button>
      )}
      <DocumentExamples change={change} />
      <ConfigEditor
        pane="dataset"
        label={words.dataset}
        text={typed.dataset}
        revision={revision}
        problem={problem}
        onChange={(dataset: string) => set({ dataset })}
      />
      <ConfigEditor
        pane="row"
        label={words.rowOf}
        text={typed.row}
        revision={revision}
        problem={problem}
        onChange={(text: string) => set({ row: text })}
      />
      <label class="field">
        <span>{words.mode}</span>
        <select value={row.mode} onChange={(event) => set({ mode: modes.find((mode) => mode === event.currentTarget.value) ?? '' })}>
          {modes.map((mode) => (
            <option key={mode} value={mode}>
              {words.modes[mode]}
            </option>
          ))}
        </select>
      </label>
    </>
  )
}

/** The examples of the five documents, also those that are errors; loaded when they are asked for. */
function DocumentExamples({ change }: Pick<InputProps, 'change'>) {
  const words = labTexts()
  const [examples, setExamples] = useState<readonly Example[]>([])
  const load = async () => {
    if (examples.length === 0) setExamples(await (await import('../config/examples.ts')).documentExamples())
  }
  const choose = (example: Example | undefined) => {
    if (!example) return
    const { model, ...row } = example.state
    change({ row, source: 'row', own: [{ id: 'own', name: example.name, settings: { config: model } }], columns: [{ model: 'own' }] })
  }
  return (
    <select
      aria-label={words.documents}
      value=""
      onFocus={() => void load()}
      onPointerDown={() => void load()}
      onChange={(event) => choose(examples[Number(event.currentTarget.value)])}
    >
      <option value="">{words.documents}</option>
      {[...new Set(examples.map(({ group }) => group))].map((group) => (
        <optgroup key={group} label={group}>
          {examples.map((example, index) =>
            example.group === group ? (
              <option key={index} value={index}>
                {example.name}
              </option>
            ) : null,
          )}
        </optgroup>
      ))}
    </select>
  )
}
