import { fieldsInText } from '@rolecall/core/internal/conversation'
import type { Note } from '@rolecall/core/internal/errors'
import { nearestName } from '@rolecall/core/internal/errors'
import { goldFields, judgeFieldNames } from './judge-fields.ts'

/**
 * Fields of a dataset's templates that are not among its declared columns. As documented, unknown fields stay as they
 * are, so they are not errors; usually they are misspelt.
 */
export function fieldWarnings(dataset: object, where: string): Note[] {
  const {
    reader_cfg: reader,
    infer_cfg: infer = {},
    eval_cfg: evaluation,
  } = dataset as {
    reader_cfg?: { input_columns?: string | string[]; output_column?: string | null }
    infer_cfg?: { prompt_template?: unknown; ice_template?: unknown }
    eval_cfg?: { evaluator?: { prompt_template?: unknown } }
  }
  if (!reader?.input_columns) return []
  const declared = [reader.input_columns, reader.output_column ?? []].flat()
  const gold = reader.output_column ? goldFields : []
  return [
    ...undeclared(infer.prompt_template, `${where}.infer_cfg.prompt_template`, declared),
    ...undeclared(infer.ice_template, `${where}.infer_cfg.ice_template`, declared),
    // A judge's prompt also shows the answer, and the gold answer under OpenCompass's names.
    ...undeclared(evaluation?.evaluator?.prompt_template, `${where}.eval_cfg.evaluator.prompt_template`, [
      ...declared,
      ...judgeFieldNames(evaluation?.evaluator),
      ...gold,
    ]),
  ]
}

function undeclared(template: unknown, where: string, declared: readonly string[]): Note[] {
  return fieldsIn(template, where).flatMap(({ name, place }): Note[] => {
    if (declared.includes(name)) return []
    const near = nearestName(name, declared)
    return [
      {
        code: 'undeclared-field',
        where: place,
        text: `{${name}} is not among the declared columns (${declared.join(', ')})${near ? `; did you mean {${near}}?` : '; it stays as it is unless the rows have it'}`,
      },
    ]
  })
}

function fieldsIn(value: unknown, place: string): { name: string; place: string }[] {
  if (typeof value === 'string') return fieldsInText(value).flatMap(({ name, is }) => (is === 'text' ? [] : [{ name, place }]))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, entry]) => fieldsIn(entry, Array.isArray(value) ? `${place}[${key}]` : `${place}.${key}`))
}
