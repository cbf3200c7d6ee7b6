import type { Note } from '@rolecall/core/internal/errors'
import type { GenerateOptions } from '../language-model/language-model.ts'
import { samplingRows } from '../language-model/sampling-settings.ts'
import type { WireApi } from '../openai/wire-api.ts'

/** Notes on the settings of a request that an API has no field for. */
export function ignoredSettings(
  { sampling = {}, minTokens = 0 }: GenerateOptions,
  { title, nameOf }: Pick<WireApi, 'title' | 'nameOf'>,
): Note[] {
  const notes: Note[] = []
  for (const row of samplingRows) {
    const value = sampling[row.field]
    if (value === undefined || nameOf(row) !== undefined || (value === row.neutral && row.name !== 'seed')) continue
    notes.push({ code: 'ignored-setting', text: `${title} has no ${row.name}, which is not sent: ${row.refused}` })
  }
  if (minTokens > 0)
    notes.push({ code: 'ignored-setting', text: `${title} has no minimum number of tokens, which is not sent: replies may be shorter` })
  return notes
}

/** The sampling settings of a request by an API's names, without those that its server refused. The server's own temperature would be 1. */
export function sampledFields(
  { sampling }: GenerateOptions,
  { nameOf }: Pick<WireApi, 'nameOf'>,
  omitted: readonly string[],
): Record<string, number> {
  const given = { temperature: 0, ...sampling }
  return Object.fromEntries(
    samplingRows.flatMap((row) => {
      const [name, value] = [nameOf(row), given[row.field]]
      const isLeftOut = value === undefined || (row.omitsNeutral && value === row.neutral)
      // 0 and -1 mean all tokens, which these APIs say by leaving the field out.
      const isAll = row.name === 'top_k' && value !== undefined && value <= 0
      return name === undefined || value === undefined || isLeftOut || isAll || omitted.includes(name) ? [] : [[name, value] as const]
    }),
  )
}
