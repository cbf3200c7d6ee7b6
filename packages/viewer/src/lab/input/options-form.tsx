import { labTexts } from '../../texts/lab.ts'
import type { Want } from '../engine/contract.ts'
import type { InputProps } from './input-pane.tsx'
import { JsonField } from './json-field.tsx'

const wants: readonly Want[] = ['generate', 'complete', 'continue']

/** Where the prompt ends, the variables of the templates, and the date that they see. */
export function OptionsForm({ state, change, reads }: InputProps & { reads: readonly string[] }) {
  const words = labTexts()
  return (
    <>
      <label class="field">
        <span>{words.ends}</span>
        <select
          value={state.want}
          onChange={(event) => change({ want: wants.find((want) => want === event.currentTarget.value) ?? 'generate' })}
        >
          {wants.map((want) => (
            <option key={want} value={want}>
              {words.endsAt[want]}
            </option>
          ))}
        </select>
      </label>
      <JsonField label={words.variables} value={state.variables} is={isObject} onChange={(variables) => change({ variables })} />
      {reads.length > 0 && <p class="dim">{words.reads(reads.join(', '))}</p>}
      <label class="field">
        <span>{words.date}</span>
        <input
          type="date"
          value={state.date?.slice(0, 10) ?? ''}
          onInput={(event) => change({ date: event.currentTarget.value === '' ? undefined : `${event.currentTarget.value}T12:00:00Z` })}
        />
      </label>
    </>
  )
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
