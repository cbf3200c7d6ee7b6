import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { dictEntries, dictFromEntries, dictGet, isDict, isList, type PyValue } from '@rolecall/core/internal/python'
import { baseColumn } from '../import/compared-dataset.ts'
import { BadData } from './bad-data.ts'
import { type Files, joinPath } from './files.ts'
import { Data } from './loader-data.ts'

type Compared = { abbr?: string | undefined; eval_cfg?: unknown; given_pred?: unknown }

/**
 * Rows with the answers of the base model that a judge compares with: `given_pred` names the folder with its predictions, in a file
 * of OpenCompass's layout that is called like the dataset.
 */
export async function withGivenAnswers(
  { abbr = '', eval_cfg: evaluation, given_pred: given }: Compared,
  rows: readonly Row[],
  files: Files,
): Promise<readonly Row[]> {
  const evaluator =
    field(field(evaluation as PyValue, 'evaluator'), 'against_column') === baseColumn
      ? field(evaluation as PyValue, 'evaluator')
      : undefined
  if (evaluator === undefined) return rows
  const base = field(evaluator, 'base_model')
  const entry = [given].flat().find((one) => field(one as PyValue, 'abbr') === base)
  const folder = field(entry as PyValue, 'path')
  const where = `${abbr} › given_pred`
  if (typeof folder !== 'string')
    throw new PromptError('bad-value', {
      where,
      problem: `it has no path for ${String(base)}`,
      fix: 'write given_pred=[dict(abbr=…, path=…)]',
    })
  const path = joinPath(folder, `${abbr}.json`)
  const kept = await predictionsAt(path, new Data(files), where)
  return rows.map((row, number) => {
    const answer = field(field(kept, String(number)), 'prediction')
    if (answer === undefined)
      throw new PromptError('bad-data', {
        where,
        problem: `${path} has no prediction for row ${number}`,
        fix: 'give one answer of the base model per row',
      })
    return dictFromEntries([...dictEntries(row), [baseColumn, answer]])
  })
}

async function predictionsAt(path: string, data: Data, where: string): Promise<PyValue> {
  try {
    const found = await data.json(await data.path(path, { localMode: true }))
    return isList(found) ? dictFromEntries(found.map((one, number) => [String(number), one])) : found
  } catch (error) {
    if (!(error instanceof BadData)) throw error
    throw new PromptError('missing-data', {
      where,
      problem: `the answers of the base model cannot be read: ${error.message}`,
      fix: `put them into ${path}, as OpenCompass writes predictions`,
    })
  }
}

function field(value: PyValue | undefined, name: string): PyValue | undefined {
  return isDict(value) ? dictGet(value, name) : undefined
}
