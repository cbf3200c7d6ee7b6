import { useState } from 'preact/hooks'
import { visibleText } from '../../prompt/visible-text.tsx'
import { labTexts } from '../../texts/lab.ts'
import type { LabState } from '../lab-state.ts'
import { addModel } from '../models/add-model.ts'
import { fetchHubModel } from '../models/fetch-hub.ts'
import { readFiles } from '../models/read-files.ts'
import type { InputProps } from './input-pane.tsx'

/** Other models: files, or the name of a repository. */
export function ModelSources({ state, change }: InputProps) {
  const words = labTexts()
  const [name, setName] = useState('')
  const [status, setStatus] = useState<string>()
  const take = async (files: readonly File[]) => {
    const { text, changes } = await takeFiles(state, files)
    setStatus(text)
    if (changes) change(changes)
  }
  const fetchIt = async (event: Event) => {
    event.preventDefault()
    setStatus(words.fetching)
    try {
      change(addModel(state, await fetchHubModel(name)))
      setStatus(undefined)
    } catch (error) {
      setStatus(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <div class="drop">
      <label>
        {words.drop}{' '}
        <input type="file" multiple aria-label={words.chooseFile} onChange={(event) => void take([...(event.currentTarget.files ?? [])])} />
      </label>
      {location.protocol === 'file:' ? (
        <p>{words.noOnDisk}</p>
      ) : (
        <form class="hub" onSubmit={(event) => void fetchIt(event)}>
          <input
            aria-label={words.hub}
            placeholder={words.hub}
            value={name}
            spellcheck={false}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <button type="submit" disabled={name.trim() === ''}>
            {words.fetch}
          </button>
          <small>{words.hubNote}</small>
        </form>
      )}
      {status !== undefined && (
        <p role="status" class="problem">
          {visibleText(status, false)}
        </p>
      )}
    </div>
  )
}

/** The changes that dropped files make, and what to say about them. */
export async function takeFiles(state: LabState, files: readonly File[]): Promise<{ text?: string; changes?: Partial<LabState> }> {
  if (files.length === 0) return {}
  try {
    const { model, unknown } = await readFiles(files)
    const text = unknown.length > 0 ? labTexts().unknownFile(unknown.join(', ')) : undefined
    const isFound = model.settings !== undefined || model.tokenizer !== undefined
    return { ...(text === undefined ? {} : { text }), ...(isFound ? { changes: addModel(state, model) } : {}) }
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error) }
  }
}
