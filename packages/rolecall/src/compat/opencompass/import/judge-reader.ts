import { byClass, className, fieldsOf, type ImportedEntry } from './imported-entry.ts'

/** The `dict_postprocessor` with the arithmetic of a summarizer, for configs that leave it to one. */
const bySummarizer: Readonly<Record<string, string>> = {
  AlignmentBenchSummarizer: 'alignbench_postprocess',
  FofoSummarizer: 'fofo_postprocess',
  FollowBenchSummarizer: 'followbench_postprocess',
  MTBenchSummarizer: 'mtbench_postprocess',
  MTBench101Summarizer: 'mtbench101_postprocess',
}

/** The same for comparisons with a base model. */
const byComparison: Readonly<Record<string, string>> = {
  ArenaHardSummarizer: 'arenahard_postprocess',
  AlpacaSummarizer: 'alpacaeval_postprocess',
  CompassArenaSummarizer: 'compassarena_postprocess',
  WildBenchPairSummarizer: 'wildbench_postprocess',
}

/** The same for datasets that do not name their summarizer. */
const byLoader: Readonly<Record<string, string>> = {
  CharmDataset: 'charm_memory',
  FlamesDataset: 'flames',
}

const byComparedLoader: Readonly<Record<string, string>> = { CompassBenchCheklistDataset: 'wildbench_postprocess' }

/** A dataset whose judge's replies only a summarizer reads in OpenCompass, with a `dict_postprocessor` that does. */
export function withJudgeReader(entry: ImportedEntry): ImportedEntry {
  const evaluation = fieldsOf(entry.eval_cfg)
  const evaluator = fieldsOf(evaluation.evaluator)
  if (className(evaluator.type) !== 'LMEvaluator' || evaluator.dict_postprocessor !== undefined) return entry
  const [summarizers, loaders] = entry.mode === 'm2n' ? [byComparison, byComparedLoader] : [bySummarizer, byLoader]
  const type = byClass(summarizers, fieldsOf(entry.summarizer).type) ?? byClass(loaders, entry.type)
  return type === undefined ? entry : { ...entry, eval_cfg: { ...evaluation, evaluator: { ...evaluator, dict_postprocessor: { type } } } }
}
