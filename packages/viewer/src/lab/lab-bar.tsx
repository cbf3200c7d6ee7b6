import { labTexts } from '../texts/lab.ts'
import { CopyMenu } from './copy/copy-menu.tsx'
import type { ColumnQuestion, DrawnPrompt } from './engine/contract.ts'
import type { Changes } from './lab-page.tsx'
import { type LabState, marks, mostColumns } from './lab-state.ts'
import { starters } from './starters.ts'
import { keep } from './use-lab.ts'

type BarProps = {
  state: LabState
  change: (changes: Changes) => void
  setState: (state: LabState) => void
  question: ColumnQuestion | undefined
  prompt: DrawnPrompt | undefined
  onPaste: () => void
  onAsk: () => void
}

export function LabBar({ state, change, setState, question, prompt, onPaste, onAsk }: BarProps) {
  const words = labTexts()
  const current = starters.find((starter) => starter.state === state)?.id ?? ''
  return (
    <section class="bar" aria-label={words.title}>
      <select
        aria-label={words.starter}
        class="starter"
        value={current}
        onChange={(event) => {
          const chosen = starters.find(({ id }) => id === event.currentTarget.value)
          if (!chosen) return
          keep({ starter: chosen.id, s: undefined, models: undefined })
          setState(chosen.state)
        }}
      >
        <option value="">{words.chooseStarter}</option>
        {starters.map(({ id }) => (
          <option key={id} value={id}>
            {words.starters[id]}
          </option>
        ))}
      </select>
      <button type="button" onClick={onPaste}>
        {words.paste}
      </button>
      <span class="rule" aria-hidden="true" />
      {marks.map((mark) => (
        <button
          key={mark}
          type="button"
          aria-pressed={state.marks.includes(mark)}
          onClick={() => change({ marks: marks.filter((one) => (one === mark ? !state.marks.includes(one) : state.marks.includes(one))) })}
        >
          {words.marks[mark]}
        </button>
      ))}
      <span class="spread" />
      <button
        type="button"
        disabled={state.columns.length >= mostColumns}
        onClick={() => change({ columns: [...state.columns, state.columns.at(-1) ?? { model: 'qwen3' }] })}
      >
        {words.addColumn}
      </button>
      <CopyMenu {...{ state, question, prompt }} />
      <button type="button" disabled={question === undefined || prompt === undefined} onClick={onAsk}>
        {words.ask} ▸
      </button>
    </section>
  )
}
