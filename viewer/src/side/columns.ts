import type { ConfigSite, ModelSite } from '../../../src/app/server/viewer/viewer-data.ts'
import { findNamed } from '../names.ts'
import { chosenModel, isFormat } from '../prompt/chosen-model.ts'

/** The columns by their names in links: `left` is a model, `leftFormat` its format where that is not its own. */
export const columnNames = ['left', 'right', 'third', 'fourth'] as const
export type ColumnName = (typeof columnNames)[number]

/** A model in a format, to be compared with others. */
export type Column = { name: ColumnName; model: ModelSite; format: string | undefined; missingModel?: string; missingFormat?: string }

type Query = Readonly<Record<string, string>>

/** The columns that a link names; without any, the first two models, or one model in its own format and in another. */
export function columnsOf(config: ConfigSite, query: Query): Column[] {
  const models = config.models.map(({ name }) => name)
  return columnNames.flatMap((name, index): Column[] => {
    const named = query[name]
    const format = query[`${name}Format`] ?? (index === 1 && models.length === 1 ? 'chatml' : undefined)
    if (index > 1 && named === undefined && format === undefined) return []
    const model = chosenModel(config, named ?? models[Math.min(index, models.length - 1)], format)
    const missing = findNamed(models, named).missing
    return model
      ? [
          {
            name,
            model,
            format,
            ...(missing === undefined ? {} : { missingModel: missing }),
            ...(isFormat(format) ? {} : { missingFormat: format! }),
          },
        ]
      : []
  })
}

/** What changes in a link when a column is added: the next model, or the first in a format that is not shown yet. */
export function withColumn(config: ConfigSite, columns: readonly Column[], formats: readonly string[]): Record<string, string | undefined> {
  const name = columnNames[columns.length]
  if (name === undefined) return {}
  const next = config.models.find(({ name: model }) => !columns.some((column) => column.model.name === model))
  if (next) return { [name]: next.name }
  return {
    [name]: config.models[0]!.name,
    [`${name}Format`]: formats.find((format) => !columns.some((column) => column.format === format)),
  }
}

/** What changes in a link when a column is removed: those behind it move up. */
export function withoutColumn(columns: readonly Column[], index: number): Record<string, string | undefined> {
  const kept = columns.filter((_, at) => at !== index)
  return Object.fromEntries(
    columnNames.flatMap((name, at) => [
      [name, kept[at]?.model.name],
      [`${name}Format`, kept[at]?.format],
    ]),
  )
}
