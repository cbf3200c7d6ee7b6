import { isDict } from '@rolecall/core/internal/python'
import { importConfig } from 'rolecall/internal/compat/opencompass/import/import-config'
import { importParts } from 'rolecall/internal/compat/opencompass/import/import-parts'
import { asYaml, readPane } from '../config/read-pane.ts'
import type { ReadPaste } from './contract.ts'
import { unreadable } from './read-paste.ts'

type Parts = { models?: readonly object[]; datasets?: readonly object[] }

/** Parts of an OpenCompass or Rolecall config, in Python, YAML or JSON: a dataset, a model, or both. */
export function readConfigSnippet(text: string): ReadPaste {
  const { value, problems } = readPane(text)
  if (problems.length === 0 && isDict(value)) {
    const parts = importParts(value, 'paste.yaml')
    const config = (parts?.config ?? value) as Parts
    return shown(
      config,
      (parts?.notes ?? []).map((note) => note.text),
    )
  }
  if (!/[=(]/.test(text)) throw unreadable(problems[0]?.message ?? 'it is none of the known kinds')
  const { config, notes } = importConfig('paste.py', {
    read: (path) => (path === 'paste.py' ? text : undefined),
    hashes: false,
    lenient: true,
  })
  return shown(
    config,
    notes.map((note) => note.text),
  )
}

function shown({ models = [], datasets = [] }: Parts, problems: readonly string[]): ReadPaste {
  const [model, dataset] = [models[0], datasets[0]]
  if (model === undefined && dataset === undefined) throw unreadable('it has neither a dataset nor a model')
  const { rows, ...asked } = (dataset ?? {}) as { rows?: readonly object[] }
  return {
    as: 'opencompass',
    ...(model === undefined ? {} : { model: asYaml(model) }),
    ...(dataset === undefined ? {} : { dataset: asYaml(asked) }),
    ...(rows?.[0] === undefined ? {} : { row: asYaml(rows[0]) }),
    problems,
  }
}
