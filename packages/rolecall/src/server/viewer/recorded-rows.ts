import { existsSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Row } from '@rolecall/core/internal/conversation'
import { compactJson, parseJson } from '@rolecall/core/internal/python'
import type { DatasetConfig, ModelConfig } from '../../evaluation/config/config-schema.ts'
import type { RequestPlan } from '../../evaluation/run/ask/inferencer.ts'
import { compilePair, planRequests } from '../../evaluation/run/ask/plan-requests.ts'
import { sentText } from '../../evaluation/run/ask/request-text.ts'
import { allRequests, startRow } from '../../evaluation/run/ask/start-row.ts'
import type { RowRecord } from '../../evaluation/run/record/run-record.ts'
import type { LoadedConfig } from '../../node/config/load-config.ts'
import { tokenizerOf } from '../../node/models/load-tokenizer.ts'
import { nodeSha256 } from '../../node/models/node-sha256.ts'
import { isInside } from '../../node/platform.ts'
import { withGuardedTemplates } from '../../node/templates/guard-config.ts'

// A run folder may come from anywhere, and its config names the files of its rows: a row that is read from them is shown only if the run
// recorded it. Otherwise an export of somebody else's run would publish whichever file its config names.

/** What a run recorded of a dataset: which rows were sent, and with which examples. */
export type RecordedRows = {
  isRecorded(number: number, row: string): boolean
  /** Whether some prompt that was sent has these examples. */
  hasExamples(number: number, row: string, examples: readonly Row[]): boolean
}

/** A pair with the dataset: its model's number in the config, and its record of a row. */
export type RecordedPair = { model: number; find(number: number): RowRecord | undefined }

/** The recorded rows of a dataset, given by its number in the config; `pairs` are those of the run with this dataset. */
export function recordedRows(pairs: readonly RecordedPair[], loaded: () => LoadedConfig, dataset: number): RecordedRows {
  const plans = new Map<number, RequestPlan | undefined>()
  const planOf = (model: number): RequestPlan | undefined => {
    if (!plans.has(model)) plans.set(model, planFor(withGuardedTemplates(loaded()), model, dataset))
    return plans.get(model)
  }
  return {
    isRecorded(number, text) {
      const records = pairs.flatMap(({ find }) => find(number) ?? [])
      if (records.length === 0) return false
      const row = rowIn(text)
      const hash = row && nodeSha256(compactJson(row)).slice(0, 32)
      return records.some(({ row_hash }) => row_hash === hash)
    },
    hasExamples(number, text, examples) {
      const row = rowIn(text)
      if (row === undefined) return false
      return pairs.some(({ model, find }) => {
        const [record, plan] = [find(number), planOf(model)]
        return record !== undefined && plan !== undefined && isPromptOf(record, plan, row, examples)
      })
    },
  }
}

/** Whether the rows of a dataset came with the run: they are in its config or its folder, and no file elsewhere is read for them. */
export function cameWithRun(dataset: DatasetConfig, home: string, folder: string): boolean {
  const { rows, path, train_rows: trainRows, train_path: trainPath, answers_path: answers, type, media_columns: media } = dataset
  if (media || (type && !rows)) return false
  const origins = [rows ? [] : path, trainRows ? [] : trainPath, rows ? [] : answers]
  return origins.every((origin) => [origin ?? []].flat().every((file) => isFileIn(folder, resolve(home, file))))
}

function isFileIn(folder: string, file: string): boolean {
  return existsSync(file) && isInside(realpathSync(file), realpathSync(folder))
}

function rowIn(text: string): Row | undefined {
  try {
    return parseJson(text) as Row
  } catch {
    return undefined
  }
}

/** A config that cannot be compiled, e.g. because it lacks its functions, proves no examples. */
function planFor({ config, folder }: LoadedConfig, model: number, dataset: number): RequestPlan | undefined {
  const [modelConfig, datasetConfig] = [
    config.models[model] as ModelConfig | undefined,
    config.datasets[dataset] as unknown as DatasetConfig,
  ]
  if (!modelConfig) return undefined
  try {
    const name = { model: modelConfig.abbr ?? 'model', dataset: datasetConfig.abbr ?? 'dataset' }
    return planRequests(compilePair(modelConfig, datasetConfig, name), { tokenizer: tokenizerOf(modelConfig, folder) })
  } catch {
    return undefined
  }
}

function isPromptOf(
  { examples: { used, dropped }, prompt_hash }: RowRecord,
  plan: RequestPlan,
  row: Row,
  examples: readonly Row[],
): boolean {
  try {
    const shown = dropped === 0 ? examples : examples.slice(0, used)
    const prompts = allRequests(plan, startRow(plan, { row, examples: shown })).flatMap((request) => request.prompts)
    return nodeSha256(prompts.map(({ prompt }) => sentText(prompt)).join('\u0000')) === prompt_hash
  } catch {
    return false
  }
}
