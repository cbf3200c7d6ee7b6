import { compilePrompt, type PromptMaker } from '../compile-prompt.ts'
import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import type { Inferencer } from '../infer/inferencer.ts'
import { inferencerOf } from '../infer/inferencers.ts'
import { PromptError } from '../prompt-error.ts'
import type { PyValue } from '../python/index.ts'
import type { Evaluator } from '../score/evaluate/evaluator.ts'
import { evaluatorOf } from '../score/evaluate/evaluators.ts'
import { postprocessorOf } from '../score/postprocess/postprocessors.ts'

/** One model on one dataset, checked and ready to be asked. */
export type Pair = {
  model: ModelConfig
  dataset: DatasetConfig
  name: { model: string; dataset: string }
  maker: PromptMaker
  inferencer: Inferencer
  evaluator: Evaluator<unknown>
  /** What is done to an answer and to the gold answer before they are compared. */
  clean: { prediction: (text: string) => PyValue; reference: (text: string) => PyValue }
}

/** Joins every model with every dataset. All mistakes that can be found before anything is asked are found here. */
export function planRun(models: readonly ModelConfig[], datasets: readonly DatasetConfig[]): Pair[] {
  return models.flatMap((model, modelNumber) =>
    datasets.map((dataset, datasetNumber): Pair => {
      const name = { model: model.abbr ?? `model-${modelNumber}`, dataset: dataset.abbr ?? `dataset-${datasetNumber}` }
      const maker = compilePrompt(model, dataset)
      const { eval_cfg: evaluation = {} } = dataset
      const inferencer = inferencerOf(dataset.infer_cfg.inferencer?.type, name.dataset)
      if (inferencer.needs === 'score' && maker.format.kind === 'chat') {
        throw new PromptError('cannot-score', {
          where: `${name.dataset} › infer_cfg.inferencer.type`,
          problem: `${name.model} takes messages, and does not tell how likely they are`,
          fix: 'ask it by generation (GenInferencer), or use a model with a text format',
        })
      }
      inferencer.check?.({ maker, where: name.dataset })
      const hasAnswers = Boolean(dataset.reader_cfg?.output_column)
      const evaluator = evaluatorOf(evaluation.evaluator, hasAnswers, name.dataset)
      if (evaluator.needsReference && !hasAnswers) {
        throw new PromptError('missing', {
          where: `${name.dataset} › reader_cfg.output_column`,
          problem: 'answers are compared with a column, and none is named',
          fix: 'set reader_cfg.output_column to the column with the right answers',
        })
      }
      return {
        model,
        dataset,
        name,
        maker,
        inferencer,
        evaluator,
        clean: {
          prediction: postprocessorOf(evaluation.pred_postprocessor, `${name.dataset} › eval_cfg.pred_postprocessor`),
          reference: postprocessorOf(evaluation.dataset_postprocessor, `${name.dataset} › eval_cfg.dataset_postprocessor`),
        },
      }
    }),
  )
}
