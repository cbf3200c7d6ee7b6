import { labTexts } from '../../texts/lab.ts'
import { type Drawn, type DrawnPrompt, writers } from '../engine/contract.ts'
import { JsonField } from '../input/json-field.tsx'
import { engines, type LabColumn, type LabState } from '../lab-state.ts'
import { labModels } from '../models/catalog.ts'
import { type GridProps, letters } from './prompt-grid.tsx'

type HeadProps = Pick<GridProps, 'onShow' | 'changeColumn'> & { state: LabState; index: number; drawn: Drawn; isShown: boolean }

/** A column's model, its settings, and how much each writer wrote. */
export function ColumnHead({ state, index, drawn, isShown, onShow, changeColumn }: HeadProps) {
  const words = labTexts()
  const column = state.columns[index]
  const letter = letters[index] ?? 'A'
  if (column === undefined) return null
  const prompt = 'prompt' in drawn ? drawn.prompt : undefined
  return (
    <section class={`head cell letter-${letter} ${isShown ? 'shown' : ''}`} aria-label={words.column(letter)}>
      <div class="line">
        <button
          type="button"
          class="letter"
          aria-pressed={isShown}
          aria-label={`${words.templatePane}, ${words.column(letter)}`}
          onClick={() => onShow(index)}
        >
          {letter}
        </button>
        <ModelChoice {...{ state, column, letter }} onChange={(next) => changeColumn(index, next)} />
        <ColumnSettings {...{ column, letter }} onChange={(next) => changeColumn(index, next)} />
        {state.columns.length > 1 && (
          <button
            type="button"
            class="flat"
            aria-label={`${words.removeColumn} ${letter}`}
            title={words.removeColumn}
            onClick={() => changeColumn(index, undefined)}
          >
            ×
          </button>
        )}
      </div>
      {prompt && <Counts prompt={prompt} />}
      {'problem' in drawn && (
        <p class="problem" lang="en">
          ✗ {drawn.problem.problem}
        </p>
      )}
      {described(column) !== '' && <p class="dim facts">{described(column)}</p>}
    </section>
  )
}

function described({ engine, variables, roles }: LabColumn): string {
  const words = labTexts()
  const set = Object.entries(variables ?? {}).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return [...(engine ? [words.engines[engine]] : []), ...(roles ? [`roles: ${roles}`] : []), ...set].join(' · ')
}

type ChoiceProps = { state: LabState; column: LabColumn; letter: string; onChange: (column: LabColumn) => void }

function ModelChoice({ state, column, letter, onChange }: ChoiceProps) {
  const words = labTexts()
  return (
    <select
      class="model"
      aria-label={words.modelOf(letter)}
      value={column.model}
      onChange={(event) => {
        const { template: _, ...rest } = column
        onChange({ ...rest, model: event.currentTarget.value })
      }}
    >
      {state.own.length > 0 && (
        <optgroup label={words.ownModels}>
          {state.own.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </optgroup>
      )}
      <optgroup label={words.models}>
        {labModels.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </optgroup>
    </select>
  )
}

function ColumnSettings({ column, letter, onChange }: Omit<ChoiceProps, 'state'>) {
  const words = labTexts()
  return (
    <details class="settings">
      <summary aria-label={words.settingsOf(letter)} title={words.settingsOf(letter)}>
        ⚙
      </summary>
      <div class="sheet">
        <label class="field">
          <span>{words.rules}</span>
          <select
            value={column.engine ?? ''}
            onChange={(event) => {
              const { engine: _, ...rest } = column
              const engine = engines.find((name) => name === event.currentTarget.value)
              onChange(engine ? { ...rest, engine } : rest)
            }}
          >
            <option value="">—</option>
            {engines.map((name) => (
              <option key={name} value={name}>
                {words.engines[name]}
              </option>
            ))}
          </select>
          <small>{words.rulesNote}</small>
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={column.roles === 'auto'}
            onChange={(event) => {
              const { roles: _, ...rest } = column
              onChange(event.currentTarget.checked ? { ...rest, roles: 'auto' } : rest)
            }}
          />
          {words.placeRoles}
        </label>
        <JsonField
          label={words.columnVariables}
          value={column.variables ?? {}}
          is={(value): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value)}
          onChange={(variables) => onChange({ ...column, variables })}
        />
      </div>
    </details>
  )
}

function Counts({ prompt: { counts, tokens, notes, characters } }: { prompt: DrawnPrompt }) {
  const words = labTexts()
  const [lost, changed] = (['error', 'warning'] as const).map((severity) => notes.filter((note) => note.severity === severity).length) as [
    number,
    number,
  ]
  const shares = writers.flatMap((by) => (counts[by] ? [{ by, ...counts[by] }] : []))
  const title = tokens.isExact ? words.exactBy(tokens.by ?? '') : words.estimateWhy
  return (
    <>
      <div class="line">
        <b class="count" data-testid="tokens">
          {tokens.isExact ? '' : '≈ '}
          {words.tokens(tokens.count)}
        </b>
        <span class="tag" title={title}>
          {tokens.isExact ? `✓ ${words.exact}` : `≈ ${words.estimate}`}
        </span>
        <span class="spread" />
        {lost > 0 && <span class="tag bad">✗ {words.lost(lost)}</span>}
        {changed > 0 && <span class="tag warn">! {words.changed(changed)}</span>}
      </div>
      <div class="shares" aria-hidden="true">
        {shares.map(({ by, tokens: count }) => (
          <i key={by} class={`b-${by}`} style={{ flexGrow: Math.max(count, 0.01) }} />
        ))}
      </div>
      <p class="legend">
        {shares.map(({ by, tokens: count }) => (
          <span key={by}>
            <span class={`swatch o-${by}`} aria-hidden="true">
              Ab
            </span>{' '}
            {words.writers[by]} {words.sum(count)}
          </span>
        ))}
        <span class="dim">{words.characters(characters)}</span>
      </p>
    </>
  )
}
