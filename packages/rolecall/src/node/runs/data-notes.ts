import type { Note } from '@rolecall/core/internal/errors'
import { attempt, PromptError } from '@rolecall/core/internal/errors'
import type { DatasetConfig, ModelConfig } from '../../evaluation/config/config-schema.ts'
import { type Examined, examinePair, notesOf } from '../../evaluation/run/examine/examine-pair.ts'
import { planRun } from '../../evaluation/run/plan-run.ts'
import { scoringPeers } from '../jieba-words.ts'
import { anyModel } from './any-model.ts'
import { nodeEnvironment } from './node-environment.ts'

/** Examines the rows of a dataset as `run` does before its first request; undefined if it cannot run, which other checks report. */
export async function examineDataset(dataset: DatasetConfig, folder: string, model?: ModelConfig): Promise<Examined | undefined> {
  // The model only matters for how its answers are read: a dataset is examined even if no model can be opened.
  const answering = { ...anyModel, pred_postprocessor: model?.pred_postprocessor, generation_kwargs: model?.generation_kwargs }
  const pair = attempt(() => planRun([answering as ModelConfig], [dataset], scoringPeers())[0])
  if (!pair) return undefined
  const { testRows, now } = nodeEnvironment(folder)
  try {
    return await examinePair(pair, testRows!(dataset), now)
  } catch (error) {
    if (error instanceof PromptError) return undefined
    throw error
  }
}

/** What `run` would report about the rows of a dataset, as warnings. */
export async function dataNotes(dataset: DatasetConfig, folder: string, model?: ModelConfig): Promise<Note[]> {
  return notesOf(await examineDataset(dataset, folder, model))
}
