import type { PromptMaker } from '@rolecall/core/internal/compile'
import { PromptError } from '@rolecall/core/internal/errors'
import type { PyValue } from '@rolecall/core/internal/python'
import type { ReplySyntax } from '@rolecall/core/internal/reply'
import { answerSyntax } from '@rolecall/core/internal/reply'
import { refuseSettingsNotHere } from '../../model/language-model/unsupported-setting.ts'
import { modelTypeOf } from '../../model/model-types/index.ts'
import { replySyntaxOf } from '../../model/model-types/reply-syntax-of.ts'
import type { ScoringPeers } from '../../python/word-split/word-tokenize.ts'
import type { DatasetConfig, ModelConfig } from '../config/config-schema.ts'
import { checkRetriever } from '../dataset/retrieve/choose-examples.ts'
import type { Evaluator } from '../score/evaluate/evaluator.ts'
import { evaluatorOf } from '../score/evaluate/evaluators.ts'
import { overSamples } from '../score/evaluate/over-samples.ts'
import type { PostprocessorsConfig } from '../score/postprocess/postprocessor.ts'
import { postprocessorOf, type Reader, readerOf, readerOfAll } from '../score/postprocess/postprocessors.ts'
import { generationBy } from './ask/generation.ts'
import type { GenerationSettings, SettingFlags } from './ask/generation-settings.ts'
import type { Inferencer } from './ask/inferencer.ts'
import { type CompiledPair, compilePair, planRequests } from './ask/plan-requests.ts'
import { batchPrice, isInBatches } from './batch-models.ts'
import { datasetEvaluator } from './dataset-evaluators.ts'
import { type Judge, judgeMaker, promptColumns } from './judge-prompts.ts'
import { isComparedWith, refuseOneSided, refuseOpponent, unscored } from './plan-pairwise.ts'
import type { PairName } from './record/pair-name.ts'

/** One model on one dataset, checked and ready to run. */
export type Pair = {
  model: ModelConfig
  dataset: DatasetConfig
  name: PairName
  maker: PromptMaker
  inferencer: Inferencer
  /** The generation settings and their sources. */
  settings: GenerationSettings
  /** Whether tool calls are parsed from answers. */
  readsCalls: boolean
  evaluator: Evaluator<unknown>
  /** The model that judges the answers, if any. */
  judge?: Judge
  /** The pair is a baseline: other models' answers are compared with its answers, which are not scored. */
  isBaseline?: true | undefined
  /** Answers cannot be scored: the dataset names neither an evaluator nor a column with right answers. */
  hasNoScore?: boolean
  /** It runs even if no gold answer can be scored right. */
  allowsUnscorable?: true
  /** How a reply, its answer and the gold answer are read before they are compared. */
  read: {
    /** How the model marks its reasoning; undefined if reasoning is scored as in the reference. */
    syntax?: ReplySyntax | undefined
    prediction: Reader
    reference: (text: string) => PyValue
  }
}

/** Combines every model with every dataset. Finds all mistakes that can be found before anything is sent. */
export function planRun(
  models: readonly ModelConfig[],
  datasets: readonly DatasetConfig[],
  peers: ScoringPeers = {},
  /** Settings that override those of models and datasets. */
  flags: SettingFlags = {},
  /** Whether answers are scored; otherwise evaluators and postprocessors are not even looked up. */
  isScored = true,
): Pair[] {
  const names = models.map(({ abbr }, number) => abbr ?? `model-${number}`)
  return models.flatMap((model, modelNumber) =>
    datasets.map((dataset, datasetNumber): Pair => {
      const name = { model: names[modelNumber]!, dataset: dataset.abbr ?? `dataset-${datasetNumber}` }
      const { eval_cfg: evaluation = {} } = isScored ? dataset : {}
      const joined = compilePair(model, dataset, name, flags)
      checkRetriever(dataset)
      const { maker, inferencer, settings } = joined
      const hasColumn = Boolean(dataset.reader_cfg?.output_column)
      const own = isScored ? datasetEvaluator(dataset, name.dataset) : undefined
      // Plain texts have no score: unlike a mean of perplexities, their mean would be meaningless.
      const hasNoScore = isScored && !hasColumn && !evaluation.evaluator && !own && inferencer.needs === 'generate'
      const single =
        isScored && !hasNoScore
          ? (own ?? evaluatorOf(evaluation.evaluator, hasColumn, name.dataset, peers, { compat: dataset.compat }))
          : notScored
      if (inferencer.needs === 'generate' && modelTypeOf(model)?.isGreedy)
        refuseSettingsNotHere(generationBy(settings, model).sampling, name.model)
      const planned = { ...joined, readsCalls: single.readsCalls === true || maker.tools !== undefined }
      if (single.readsCalls && inferencer.needs !== 'generate') throw noCallsToRead(name.dataset)
      planRequests(planned)
      // The calls in a chat are the expected ones.
      const hasAnswers = hasColumn || (single.readsCalls === true && inferencer.readsChats === true)
      refuseOpponent(single, dataset, name.dataset, names)
      const isBaseline = isComparedWith(single, name.model)
      const judge = isBaseline ? undefined : judgeOf(single, name.dataset, dataset.compat, peers)
      const evaluator = isBaseline ? unscored(single) : samplesOf(single, planned)
      if (evaluator.needsReference && !hasAnswers) {
        throw new PromptError('missing', {
          where: `${name.dataset} › reader_cfg.output_column`,
          problem: 'answers are compared with a column, but none is named',
          fix: 'set reader_cfg.output_column to the column with the right answers, or run without scoring: rolecall run --no-score',
        })
      }
      return {
        model,
        dataset,
        name,
        maker,
        inferencer,
        settings,
        readsCalls: planned.readsCalls,
        evaluator,
        ...(judge ? { judge } : {}),
        ...(isBaseline ? { isBaseline } : {}),
        ...(hasNoScore ? { hasNoScore } : {}),
        ...(evaluation.allow_unscorable ? { allowsUnscorable: true as const } : {}),
        read: {
          syntax: inferencer.needs === 'generate' && !dataset.compat ? answerSyntax(maker.format, replySyntaxOf(model)) : undefined,
          prediction: readerOfAll(
            [
              {
                config: (isScored ? model.pred_postprocessor : undefined) as PostprocessorsConfig,
                where: `${name.model} › pred_postprocessor`,
              },
              { config: evaluation.pred_postprocessor, where: `${name.dataset} › eval_cfg.pred_postprocessor` },
              { config: single.asks?.pred_postprocessor, where: `${name.dataset} › eval_cfg.evaluator.pred_postprocessor` },
            ],
            peers,
          ),
          reference: postprocessorOf(evaluation.dataset_postprocessor, `${name.dataset} › eval_cfg.dataset_postprocessor`, peers),
        },
      }
    }),
  )
}

/** For answers that are only generated: `rolecall score` scores them later. */
const notScored: Evaluator<unknown> = unscored({
  metric: 'score',
  kind: 'quantity',
  unit: 'not scored',
  needsReference: false,
  judge: () => ({ score: 0, detail: {} }),
})

/** The judge model and its prompts. */
function judgeOf({ asks }: Evaluator<unknown>, where: string, compat: DatasetConfig['compat'], peers: ScoringPeers): Judge | undefined {
  if (!asks) return undefined
  if (!asks.prompt_template) {
    throw new PromptError('missing', {
      where: `${where} › eval_cfg.evaluator.prompt_template`,
      problem: 'the judge has no prompt',
      fix: 'write a prompt_template that shows {prediction} and the right answer',
    })
  }
  const columns = promptColumns(asks.prompt_template)
  if (asks.against && columns.length === 0) refuseOneSided(asks.prompt_template, `${where} › eval_cfg.evaluator.prompt_template`)
  const maker = judgeMaker(asks.model, asks.prompt_template, `${where} › eval_cfg.evaluator`, compat)
  const { pred_postprocessor } = asks.model as ModelConfig
  return {
    config: isInBatches(asks.model) ? { ...asks.model, price: batchPrice((asks.model as ModelConfig).price) } : asks.model,
    maker,
    columns,
    packsRounds: asks.packsRounds === true,
    syntax: compat ? undefined : answerSyntax(maker.format, replySyntaxOf(asks.model as ModelConfig)),
    read: readerOf(pred_postprocessor, `${where} › eval_cfg.evaluator.judge_cfg.pred_postprocessor`, peers),
  }
}

/** Rows with several answers are judged answer by answer. */
function samplesOf(evaluator: Evaluator<unknown>, { model, dataset, name, settings }: CompiledPair): Evaluator<unknown> {
  const { n = 1, k = [...new Set([1, n])] } = dataset
  if (n === 1) return evaluator
  const { temperature: body } = (model.extra_body ?? {}) as { temperature?: unknown }
  const { temperature = body } = body === undefined ? (generationBy(settings, model).sampling ?? {}) : {}
  if (temperature === 0 || (temperature === undefined && modelTypeOf(model)?.isGreedy)) {
    throw new PromptError('no-temperature', {
      where: `${name.dataset} › n`,
      problem: `n asks for ${n} answers per row, but ${name.model} always takes the likeliest token: they would all be the same`,
      fix: 'set a temperature for the model or for the inferencer, e.g. 0.7',
    })
  }
  const ks = [k].flat()
  if (Math.max(...ks) > n) {
    throw new PromptError('too-few-samples', {
      where: `${name.dataset} › k`,
      problem: `pass@${Math.max(...ks)} needs that many answers per row, but n is ${n}`,
      fix: `set n to ${Math.max(...ks)} or more, or a smaller k`,
    })
  }
  return evaluator.readsSamples ? evaluator : overSamples(evaluator, { n, k: ks })
}

function noCallsToRead(where: string): PromptError {
  return new PromptError('no-calls', {
    where: `${where} › eval_cfg.evaluator.type`,
    problem: 'tool calls are scored, but this inferencer only compares likelihoods',
    fix: 'use GenInferencer or ChatInferencer',
  })
}
