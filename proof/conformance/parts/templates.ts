import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileTemplate, type JinjaTemplate } from '../../../packages/core/src/base/jinja/index.ts'
import { dictEntries, dictGet, dictHas, isDict, type PyDict, parseJson } from '../../../packages/core/src/base/python/index.ts'
import type { Suite } from '../suite.ts'

/** The templates that the other vectors name; each must compile. */
export const partsTemplates: Suite = {
  name: 'parts',
  recognises: isTemplate,
  examine(vector) {
    compileTemplate(String(dictGet(vector as PyDict, 'template')))
    return { kind: 'consistent', why: 'templates of other vectors: compiled' }
  },
}

export type PartsTemplate = { source: string; template: JinjaTemplate; tokens: Readonly<Record<string, string>> }

const known = new Map<string, Map<string, PartsTemplate>>()

/** A template by its id; the files of a folder are read once. */
export function templateIn(folder: string, id: string): PartsTemplate | undefined {
  const found = known.get(folder) ?? readTemplates(folder)
  known.set(folder, found)
  return found.get(id)
}

function readTemplates(folder: string): Map<string, PartsTemplate> {
  const templates = new Map<string, PartsTemplate>()
  for (const entry of entriesIn(folder, isTemplate)) {
    const source = String(dictGet(entry, 'template'))
    const tokens = dictGet(entry, 'tokens')
    templates.set(String(dictGet(entry, 'id')), {
      source,
      template: compileTemplate(source),
      tokens: isDict(tokens) ? Object.fromEntries(dictEntries(tokens).map(([name, token]) => [name, String(token)])) : {},
    })
  }
  return templates
}

/** The entries of all files of a folder whose first entry is of a kind. */
export function* entriesIn(folder: string, isKind: (entry: PyDict) => boolean): Generator<PyDict> {
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n')
    const first = parseJson(lines[0] || 'null')
    if (!isDict(first) || !isKind(first)) continue
    for (const line of lines) {
      const entry = line.trim() === '' ? null : parseJson(line)
      if (isDict(entry)) yield entry
    }
  }
}

function isTemplate(entry: PyDict): boolean {
  return dictHas(entry, 'template') && dictHas(entry, 'tokens') && dictHas(entry, 'media')
}
