import type { PyValue } from '@rolecall/core/internal/python'
import type { DatasetConfig, ModelConfig } from '../../evaluation/config/config-schema.ts'
import { settingFlags } from '../../evaluation/run/ask/generation-settings.ts'
import { modelFacts, type PairSetup } from '../../evaluation/run/record/pair-setup.ts'
import { samplingFacts } from '../../evaluation/run/record/sampling-facts.ts'
import type { Pair } from '../../evaluation/run/run-pairs.ts'
import type { PairFiles, RunInfo } from './run-layout.ts'

/** The setup of a pair of an own run, from its recorded config and options; `pair` is undefined if the config no longer has it. */
export function ownSetup({ options, rolecall }: RunInfo, { format, figure }: PairFiles, pair: Pair | undefined): PairSetup {
  const dataset: Partial<DatasetConfig> = pair?.dataset ?? {}
  const model: Partial<ModelConfig> = pair?.model ?? {}
  const { infer_cfg: infer, eval_cfg: evaluation } = dataset
  const inferencer = { ...infer?.inferencer }
  const settings: Readonly<Record<string, unknown>> = { ...model, ...Object(model.generation_kwargs), ...inferencer, ...options }
  return {
    harness: 'rolecall',
    version: rolecall,
    rows: facts({ dataset: dataset.path, limit: options.limit ?? dataset.reader_cfg?.test_range }),
    prompt: facts({
      template: infer?.prompt_template,
      retriever: infer?.retriever,
      chat_template: model.chat_template,
      format: model.format ?? format,
    }),
    sampling: facts({
      ...samplingFacts({ ...settings, ...settingFlags(options) }),
      max_tokens: settings.maxOutLen ?? settings.max_out_len,
      stop: settings.stopTexts ?? settings.stop ?? settings.stopping_criteria,
    }),
    model: facts(modelFacts(model)),
    scoring: {
      [figure?.metric ?? 'score']: facts({
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
