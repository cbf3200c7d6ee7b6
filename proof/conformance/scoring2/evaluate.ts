import { type PyDict, type PyValue, pyStr } from '../../../packages/core/src/base/python/index.ts'
import { registerOpenCompass } from '../../../packages/rolecall/src/compat/opencompass/register-opencompass.ts'
import { evaluateAnswers, figuresOf } from '../../../packages/rolecall/src/evaluation/score/evaluate/evaluate-answers.ts'
import { notAsked } from '../../../packages/rolecall/src/evaluation/score/evaluate/evaluator.ts'
import { evaluatorOf } from '../../../packages/rolecall/src/evaluation/score/evaluate/evaluators.ts'
import { peers } from '../scoring/peers.ts'
import { plain, type ScoringVector } from '../scoring/vector.ts'
import { codeOperations } from './evaluate-code.ts'
import type { Operation } from './operation.ts'

registerOpenCompass()

type Args = ScoringVector['args']
type Evaluated = { figures: Record<string, unknown>; details: Record<string, PyValue>[] }

/** Runs the evaluator of this name on a vector's answers. */
function evaluated(type: string, args: Args): Evaluated {
  const options = (args.options ?? {}) as Record<string, PyValue>
  const evaluator = evaluatorOf({ type, ...options }, true, 'the vector', peers, { compat: 'opencompass' })
  return evaluateAnswers(evaluator, args.predictions as PyValue[], args.references as PyValue[], (args.testSet ?? []) as PyDict[])
}

const figuresOnly = (type: string): Operation => ({ run: (args) => evaluated(type, args).figures })

/** Includes row details, where ours may have more keys. */
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

/** Agent steps are a column in our rows. */
const agent = (type: string): Operation => ({
  run: ({ steps, ...args }) => evaluated(type, { ...args, testSet: (steps as PyValue[]).map((one) => ({ steps: one })) }).figures,
})

/** The reference's judge replies with the vector's text; ours gets the same rows. */
function cascaded(args: Args): unknown {
  const { rule_evaluator, parallel } = args.options as { rule_evaluator: PyDict; parallel: boolean }
  const judge_cfg = { type: 'embedded' }
  const evaluator = evaluatorOf(
    { type: 'CascadeEvaluator', rule_evaluator, parallel, llm_evaluator: { judge_cfg, prompt_template: {} } },
    true,
    'the vector',
    peers,
    { compat: 'opencompass' },
  )
  const verdicts = (args.judge as PyValue[]).map((one) => saidBy(one, String(args.judgeKey ?? 'prediction')))
  const judged = (args.predictions as PyValue[]).map((answered, row) => {
    const answer = { reference: (args.references as PyValue[])[row]!, row: {} }
    const isAsked = args.testSet !== undefined && !evaluator.asks!.unless?.({ ...answer, prediction: answered })
    return evaluator.judge({ ...answer, prediction: isAsked ? verdicts[row]! : notAsked, answered })
  })
  const { accuracy, ...stats } = figuresOf(
    evaluator,
    judged.map(({ score }) => score),
    judged.map(({ keep }) => keep),
  )
  const cascade_stats = { ...stats, final_accuracy: accuracy, parallel_mode: parallel }
  const details = judged.map(({ detail: { rule_evaluation, llm_correct, correct } }) => ({
    rule_evaluation: { ...(rule_evaluation as PyDict), evaluation_method: 'rule' },
    ...(llm_correct === undefined ? {} : { llm_correct }),
    cascade_correct: correct,
  }))
  return { accuracy, cascade_stats, details }
}

/** A verdict as a judge would phrase it. */
function saidBy(verdict: PyValue, key: string): string {
  if (key === 'prediction' || key === 'llm_judge') return pyStr(verdict)
  const isRight = key === 'correct' ? verdict === true : key === 'score' && Number(plain(verdict)) > 0.5
  return isRight ? 'A' : 'B'
}

/** Without examples and metrics by target, which our rows show. What cannot be computed is null in the reference, and NaN here. */
function regressionFigures(value: unknown): unknown {
  const { invalid_examples: _, target_metrics: __, ...figures } = value as Record<string, unknown>
  return Object.fromEntries(Object.entries(figures).map(([name, one]) => [name, Number.isNaN(one) ? null : one]))
}

const each = (layout: (type: string) => Operation, names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [name, layout(name)]))

/** The vectors' names for evaluators, grouped by how the reference structures row details. */
export const evaluateOperations: Record<string, Operation> = {
  ...codeOperations,
  ...each(
    figuresOnly,
    'AccDropEvaluator AccContaminationEvaluator LongBenchv2Evaluator MusrEvaluator KaoshiEvaluator LongBenchF1Evaluator LongBenchRougeEvaluator LongBenchCountEvaluator LongBenchRetrievalEvaluator LongBenchClassificationEvaluator LongBenchCodeSimEvaluator LVEvalOPTF1Evaluator LVEvalF1Evaluator LVEvalOPTRougeEvaluator RulerNiahEvaluator RulerCweEvaluator RulerFweEvaluator RulerVtEvaluator RulerQaEvaluator BabiLongEvaluator InfiniteBenchendiaEvaluator InfiniteBenchretrievekvEvaluator LEvalEMEvaluator NQEvaluatorCN OpenFinDataKWEvaluator S3EvalEvaluator PILLMEvaluator Opi_Evaluator Game24Evaluator TabMWPEvaluator RMBEvaluator GUE_Evaluator MultiIFEvaluator LawBenchEvaluator_1_2 LawBenchEvaluator_2_2 LawBenchEvaluator_2_3 LawBenchEvaluator_2_4 LawBenchEvaluator_2_5 LawBenchEvaluator_2_6 LawBenchEvaluator_2_8 LawBenchEvaluator_2_9 LawBenchEvaluator_2_10 LawBenchEvaluator_3_3 LawBenchEvaluator_3_6 LawBenchEvaluator_3_7 P_SPP_Evaluator P_EDP_Evaluator P_BSP_Evaluator CMP_KSP_Evaluator CMP_TSP_D_Evaluator CMP_GCP_D_Evaluator Hard_MSP_Evaluator HardGCPEvaluator TEvalEvaluator Mol_Instructions_Evaluator_Protein_Design',
  ),
  ...each(
    withList,
    'GPQAEvaluator MastermathDatasetv1Evaluator CharmReasonEvaluator AGIEvalEvaluator_mcq MMLUProBaseEvaluator SuperGPQAEvaluator MedbulletsEvaluator NejmaibenchEvaluator MedmcqaEvaluator ELBenchChoiceEvaluator ZebraLogicMCEvaluator NeedleBenchOriginEvaluator NeedleBenchOriginEvaluator_v2 NeedleBenchMultiEvaluator NeedleBenchATCEvaluator MedBenchEvaluator_Cloze ProcessBenchEvaluator AGIEvalEvaluator MATHInternEvaluator TheoremQAEvaluatorV3 OlympiadBenchEvaluator BBEHEvaluator_mcq BBEHEvaluator ARCPrizeEvaluator korbenchEvaluator JudgeEvaluator NCExactMatchEvaluator NCElementMatchEvaluator RMSEEvaluator MAEEvaluator MatbenchEvaluator_classification MatbenchEvaluator_classification_glass BiodataMCCEvaluator BiodataAccEvaluator BiodataSpearmanEvaluator BiodataR2Evaluator BiodataMixedScoreEvaluator BiodataPCCEvaluator OpenSWIMSEEvaluator PMMEvalXNLIEvaluator PMMEvalMMMLUEvaluator PMMEvalMLogiQAEvaluator PMMEvalMHellaswagEvaluator SciKnowEvalEvaluator BiodataAucEvaluator MedBenchEvaluator MathEEDEvaluator MRCREvaluator LiveMathBenchEvaluator F1ScoreEvaluator',
  ),
  ...Object.fromEntries(
    ['SciReasoner15TMScoreEvaluator', 'SciReasoner15MaterialEvaluator', 'SciReasoner15DudeEvaluator'].map((type) => [
      type,
      { ...figuresOnly(type), compared: regressionFigures },
    ]),
  ),
  LLM4Mat_Evaluator: {
    // The reference has no MAE for classes; ours is the main metric, and NaN there.
    run(args) {
      const { MAE, ...figures } = evaluated('LLM4Mat_Evaluator', args).figures
      return 'AUC' in figures && Number.isNaN(MAE) ? figures : { ...figures, MAE }
    },
    compared: regressionFigures,
  },
  ...each(withPlaces, 'PMMEvalMGSMEvaluator'),
  LCBTestOutputEvaluator: {
    run(args) {
      const { figures, details } = evaluated('LCBTestOutputEvaluator', args)
      return { ...figures, details: { 'pass@1': { ...details.map(({ correct }) => (correct ? 100 : 0)) } } }
    },
  },
  ...each(agent, 'Gsm8kAgentEvaluator MATHAgentEvaluator'),
  CascadeEvaluator: {
    run: cascaded,
    detailsMayHaveMore: true,
    // Ours also include the judge's reply, and rules with sympy include its parse of an answer.
    compared(value) {
      const { details = [], ...figures } = value as { details?: Record<string, Record<string, unknown>>[] }
      const rows = details.map(({ rule_evaluation: rule, llm_evaluation: llm, llm_correct: ours }) => ({
        correct: rule!.correct,
        llm_correct: llm?.llm_correct ?? ours ?? null,
      }))
      return { ...figures, details: rows }
    },
  },
  IFEvaluator: {
    run(args) {
      const { figures, details } = evaluated('IFEvaluator', args)
      const [prompts, predictions] = [args.originPrompt as string[], args.predictions as string[]]
      return { ...figures, details: { ...details.map((detail, row) => ({ prompt: prompts[row], pred: predictions[row], ...detail })) } }
    },
    // The reference removes null arguments from the gold answers.
    compared: (value) => JSON.parse(JSON.stringify(value, (_, one) => (one === null ? undefined : one))),
  },
  MATHVerifyEvaluator: {
    run(args) {
      const { figures, details } = evaluated('MATHVerifyEvaluator', args)
      return { ...figures, details: details.filter((detail) => !('unreadable' in detail)) }
    },
    // Sympy's parse of an answer is not compared.
    compared(value) {
      const { details, ...figures } = value as { details?: { correct: boolean }[] }
      return { ...figures, details: details?.map(({ correct }) => correct) }
    },
  },
  ZebraLogicGridEvaluator: {
    ...withList('ZebraLogicGridEvaluator'),
    // The reference has no details for rows whose gold table cannot be parsed.
    run(args) {
      const { figures, details } = evaluated('ZebraLogicGridEvaluator', args)
      return { ...figures, details: details.filter((detail) => 'cell_accuracy' in detail) }
    },
  },
  NeedleBenchParallelEvaluator: { run: (args) => ({ ...evaluated('NeedleBenchParallelEvaluator', args).figures, details: [] }) },
}
