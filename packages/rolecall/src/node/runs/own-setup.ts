import type { PyValue } from '@rolecall/core/internal/python'
import type { DatasetConfig, ModelConfig } from '../../evaluation/config/config-schema.ts'
import { settingFlags } from '../../evaluation/run/ask/generation-settings.ts'
import { choosePairs } from '../../evaluation/run/choose-pairs.ts'
import { isSamePair, type PairName } from '../../evaluation/run/record/pair-name.ts'
import { modelFacts, type PairSetup } from '../../evaluation/run/record/pair-setup.ts'
import { samplingFacts } from '../../evaluation/run/record/sampling-facts.ts'
import { scoringPeers } from '../jieba-words.ts'
import { recordedConfig } from './recorded-config.ts'
import { readRunInfo } from './run-layout.ts'

/** The setup of a pair of an own run, from its recorded config and options. */
export async function ownSetup(folder: string, name: PairName): Promise<PairSetup> {
  const info = readRunInfo(folder)
  const { config } = await recordedConfig(folder)
  const pair = choosePairs(config, info.options, scoringPeers()).find((one) => isSamePair(one.name, name))
  const dataset: Partial<DatasetConfig> = pair?.dataset ?? {}
  const model: Partial<ModelConfig> = pair?.model ?? {}
  const { infer_cfg: infer, eval_cfg: evaluation } = dataset
  const inferencer = { ...infer?.inferencer }
  const settings: Readonly<Record<string, unknown>> = { ...model, ...Object(model.generation_kwargs), ...inferencer, ...info.options }
  return {
    harness: 'rolecall',
    version: info.rolecall,
    rows: facts({ dataset: dataset.path, limit: info.options.limit ?? dataset.reader_cfg?.test_range }),
    prompt: facts({
      template: infer?.prompt_template,
      retriever: infer?.retriever,
      chat_template: model.chat_template,
      format: model.format ?? name.format,
    }),
    sampling: facts({
      ...samplingFacts({ ...settings, ...settingFlags(info.options) }),
      max_tokens: settings.maxOutLen ?? settings.max_out_len,
      stop: settings.stopTexts ?? settings.stop ?? settings.stopping_criteria,
    }),
    model: facts(modelFacts(model)),
    scoring: {
      [info.pairs.find((one) => isSamePair(one, name))?.figure?.metric ?? 'score']: facts({
        extraction: evaluation?.pred_postprocessor,
        metric: evaluation?.evaluator,
        normalisation: evaluation?.dataset_postprocessor,
      }),
    },
  }
}

/** Plain data without absent values. */
function facts(given: Readonly<Record<string, unknown>>): Record<string, PyValue> {
  return JSON.parse(JSON.stringify(given)) as Record<string, PyValue>
}
