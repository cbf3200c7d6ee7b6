import type { PyDict, PyValue } from '../../src/python/index.ts'
import { evaluateAnswers } from '../../src/score/evaluate/evaluate-answers.ts'
import { evaluatorOf } from '../../src/score/evaluate/evaluators.ts'
import { peers } from '../scoring/peers.ts'
import type { ScoringVector } from '../scoring/vector.ts'
import { codeOperations } from './evaluate-code.ts'
import type { Operation } from './suite.ts'

type Args = ScoringVector['args']
type Evaluated = { figures: Record<string, unknown>; details: Record<string, PyValue>[] }

/** What the evaluator of this name makes of the answers of a vector. */
function evaluated(type: string, args: Args): Evaluated {
  const options = (args.options ?? {}) as Record<string, PyValue>
  const evaluator = evaluatorOf({ type, ...options }, true, 'the vector', peers, { compat: 'opencompass' })
  return evaluateAnswers(evaluator, args.predictions as PyValue[], args.references as PyValue[], (args.testSet ?? []) as PyDict[])
}

const figuresOnly = (type: string): Operation => ({ run: (args) => evaluated(type, args).figures })

/** With the details of each row, which may have more of ours. */
const withList = (type: string): Operation => ({
  run(args) {
    const { figures, details } = evaluated(type, args)
    return { ...figures, details }
  },
  detailsMayHaveMore: true,
})

const withPlaces = (type: string): Operation => ({
  run(args) {
    const { figures, details } = evaluated(type, args)
    return { ...figures, details: { ...details } }
  },
  detailsMayHaveMore: true,
})

/** The steps of an agent are a column of ours. */
const agent = (type: string): Operation => ({
  run: ({ steps, ...args }) => evaluated(type, { ...args, testSet: (steps as PyValue[]).map((one) => ({ steps: one })) }).figures,
})

const each = (layout: (type: string) => Operation, names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [name, layout(name)]))

/** How the vectors call the evaluators, by how the reference lays out the details of its rows. */
export const evaluateOperations: Record<string, Operation> = {
  ...codeOperations,
  ...each(
    figuresOnly,
    'AccDropEvaluator AccContaminationEvaluator LongBenchv2Evaluator MusrEvaluator KaoshiEvaluator LongBenchF1Evaluator LongBenchRougeEvaluator LongBenchCountEvaluator LongBenchRetrievalEvaluator LongBenchClassificationEvaluator LongBenchCodeSimEvaluator LVEvalOPTF1Evaluator LVEvalF1Evaluator LVEvalOPTRougeEvaluator RulerNiahEvaluator RulerCweEvaluator RulerFweEvaluator RulerVtEvaluator RulerQaEvaluator BabiLongEvaluator InfiniteBenchendiaEvaluator InfiniteBenchretrievekvEvaluator LEvalEMEvaluator NQEvaluatorCN OpenFinDataKWEvaluator S3EvalEvaluator PILLMEvaluator Game24Evaluator TabMWPEvaluator RMBEvaluator GUE_Evaluator',
  ),
  ...each(
    withList,
    'GPQAEvaluator MastermathDatasetv1Evaluator CharmReasonEvaluator AGIEvalEvaluator_mcq MMLUProBaseEvaluator SuperGPQAEvaluator MedbulletsEvaluator NejmaibenchEvaluator MedmcqaEvaluator ELBenchChoiceEvaluator ZebraLogicMCEvaluator NeedleBenchOriginEvaluator NeedleBenchOriginEvaluator_v2 NeedleBenchMultiEvaluator NeedleBenchATCEvaluator MedBenchEvaluator_Cloze ProcessBenchEvaluator AGIEvalEvaluator MATHInternEvaluator TheoremQAEvaluatorV3 OlympiadBenchEvaluator BBEHEvaluator_mcq BBEHEvaluator ARCPrizeEvaluator korbenchEvaluator JudgeEvaluator NCExactMatchEvaluator NCElementMatchEvaluator RMSEEvaluator MAEEvaluator MatbenchEvaluator_classification MatbenchEvaluator_classification_glass BiodataMCCEvaluator BiodataAccEvaluator BiodataSpearmanEvaluator BiodataR2Evaluator BiodataMixedScoreEvaluator BiodataPCCEvaluator OpenSWIMSEEvaluator PMMEvalXNLIEvaluator PMMEvalMMMLUEvaluator PMMEvalMLogiQAEvaluator PMMEvalMHellaswagEvaluator SciKnowEvalEvaluator BiodataAucEvaluator MedBenchEvaluator MathEEDEvaluator',
  ),
  ...each(withPlaces, 'PMMEvalMGSMEvaluator'),
  LCBTestOutputEvaluator: {
    run(args) {
      const { figures, details } = evaluated('LCBTestOutputEvaluator', args)
      return { ...figures, details: { 'pass@1': { ...details.map(({ correct }) => (correct ? 100 : 0)) } } }
    },
  },
  ...each(agent, 'Gsm8kAgentEvaluator MATHAgentEvaluator'),
  ZebraLogicGridEvaluator: {
    ...withList('ZebraLogicGridEvaluator'),
    // Rows whose gold table cannot be read have no details in the reference.
    run(args) {
      const { figures, details } = evaluated('ZebraLogicGridEvaluator', args)
      return { ...figures, details: details.filter((detail) => 'cell_accuracy' in detail) }
    },
  },
  NeedleBenchParallelEvaluator: { run: (args) => ({ ...evaluated('NeedleBenchParallelEvaluator', args).figures, details: [] }) },
}
