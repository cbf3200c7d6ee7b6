import type { PyDict, PyValue } from '../../../packages/core/src/base/python/index.ts'
import { chineseRouge } from '../../../packages/rolecall/src/compat/opencompass/evaluators/chinese-rouge.ts'
import { circularPatterns } from '../../../packages/rolecall/src/compat/opencompass/evaluators/choice/circular-evaluators.ts'
import { levenshtein } from '../../../packages/rolecall/src/compat/opencompass/evaluators/edit-distance.ts'
import { mathEquivalent } from '../../../packages/rolecall/src/compat/opencompass/evaluators/math/math-answer.ts'
import { registerOpenCompass } from '../../../packages/rolecall/src/compat/opencompass/register-opencompass.ts'
import { type BleuTokenizer, bleuCounts, bleuTokenize, corpusBleu } from '../../../packages/rolecall/src/evaluation/score/evaluate/bleu.ts'
import { evaluateAnswers } from '../../../packages/rolecall/src/evaluation/score/evaluate/evaluate-answers.ts'
import { evaluatorOf } from '../../../packages/rolecall/src/evaluation/score/evaluate/evaluators.ts'
import { bitsPerCharacter, perplexityPerToken } from '../../../packages/rolecall/src/evaluation/score/evaluate/likelihood.ts'
import { judgeResults } from '../../../packages/rolecall/src/evaluation/score/evaluate/model-judge.ts'
import { gPassAtK, mgPassAtK, passAtK } from '../../../packages/rolecall/src/evaluation/score/evaluate/pass-at-k.ts'
import { evaluateReplicas } from '../../../packages/rolecall/src/evaluation/score/evaluate/replicas.ts'
import { rougeScore, rougeTokenize, rougeTypes } from '../../../packages/rolecall/src/evaluation/score/evaluate/rouge.ts'
import { normalizeSquad, squadF1 } from '../../../packages/rolecall/src/evaluation/score/evaluate/squad.ts'
import { NumpyRandom } from '../../../packages/rolecall/src/python/library/random.ts'
import { peers } from './peers.ts'
import { plain, refuse } from './vector.ts'

registerOpenCompass()

type Given = { predictions: PyValue[]; references: PyValue[] } & Record<string, PyValue>

/** How the reference structures row details; if it has none, ours are dropped. */
type Layout = 'none' | 'list' | 'by-index'

function score(type: string, layout: Layout, options: (given: Given) => Record<string, PyValue> = () => ({})) {
  return (given: Given) => {
    const evaluator = evaluatorOf({ type, ...options(given) }, true, 'the vector', peers)
    const { figures, details } = evaluateAnswers(evaluator, given.predictions, given.references, (given.testSet ?? []) as PyDict[])
    if (layout === 'none') return figures
    return { ...figures, details: layout === 'list' ? details : { ...details } }
  }
}

const evaluators: Record<string, (given: Given) => unknown> = {
  AccEvaluator: score('AccEvaluator', 'none'),
  MccEvaluator: score('MccEvaluator', 'none'),
  AccwithDetailsEvaluator(given) {
    const { details, ...figures } = score('AccwithDetailsEvaluator', 'by-index')(given) as unknown as { details: Record<string, object> }
    const prompts = given.originPrompt as string[]
    return {
      ...figures,
      details: Object.fromEntries(Object.entries(details).map(([key, one]) => [key, { prompt: prompts[Number(key)], ...one }])),
    }
  },
  EMEvaluator(given) {
    const result = score('EMEvaluator', 'list')(given) as { details: { answer: string[] }[] }
    // The reference returns a set, which the vectors sort.
    return { ...result, details: result.details.map((one) => ({ ...one, answer: [...one.answer].sort(byCodePoints) })) }
  },
  EDAccEvaluator: score('EDAccEvaluator', 'none'),
  SquadEvaluator: (given) => (score('SquadEvaluator', 'none')(given) as Record<string, number>).f1,
  TriviaQAEvaluator: score('TriviaQAEvaluator', 'list'),
  NQEvaluator: score('NQEvaluator', 'list'),
  SQuAD20Evaluator: score('SQuAD20Evaluator', 'none'),
  LambadaEvaluator: score('LambadaEvaluator', 'none'),
  DropOpenAIEvaluator: score('dropOpenAIEvaluator', 'list'),
  BBHEvaluator: score('BBHEvaluator', 'list'),
  Gsm8kEvaluator: score('Gsm8kEvaluator', 'list'),
  Math401Evaluator: score('Math401Evaluator', 'list'),
  MGSM_Evaluator: score('MGSM_Evaluator', 'by-index'),
  MATHEvaluator: score('MATHEvaluator', 'list', ({ version }) => ({ version: version! })),
  RougeEvaluator: score('RougeEvaluator', 'none'),
  JiebaRougeEvaluator: score('JiebaRougeEvaluator', 'none'),
  CircularEvaluator: score('CircularEvaluator', 'none'),
  CircularDatasetEvaluator: score('CircularDatasetEvaluator', 'none', ({ circularPattern }) => ({ circular_pattern: circularPattern! })),
  AUCROCEvaluator: score('AUCROCEvaluator', 'none'),
  BleuEvaluator({ predictions, references }) {
    evaluateAnswers(evaluatorOf({ type: 'BleuEvaluator' }, true, 'the vector'), predictions, references)
    return corpusBleu(predictions.map((one, index) => bleuCounts(one as string, [references[index]].flat() as string[])))
  },
}

function byCodePoints(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

type Texts = Record<string, string>
type Numbers = Record<string, number>
const tokenizer =
  (name: BleuTokenizer) =>
  ({ text }: Texts) =>
    bleuTokenize(text!, name)

export const evaluateOperations: Record<string, (args: never) => unknown> = {
  ...evaluators,
  levenshtein: ({ a, b }: Texts) => levenshtein(a!, b!),
  squad_normalize: ({ text }: Texts) => normalizeSquad(text!),
  squad_f1: ({ prediction, reference }: Texts) => squadF1(prediction!, reference!),
  math_is_equiv: ({ a, b, version }: { a: string | null; b: string | null; version: 'v1' | 'v2' }) => mathEquivalent(a, b, version),
  bleu_tokenize_13a: tokenizer('13a'),
  bleu_tokenize_zh: tokenizer('zh'),
  bleu_tokenize_char: tokenizer('char'),
  rouge_tokenize: ({ text }: Texts) => rougeTokenize(text!),
  rouge_score({ prediction, reference }: Texts) {
    const scores = rougeScore(prediction!, reference!)
    return Object.fromEntries(rougeTypes.map((type) => [type, [scores[type].precision, scores[type].recall, scores[type].f]]))
  },
  rouge_chinese: ({ prediction, reference }: Texts) => chineseRouge(prediction!, reference!),
  np_random_choice: ({ seed, n, size }: Numbers) => [...new NumpyRandom(seed!).choice(n!, size!)],
  pass_at_k: ({ n, c, k }: Numbers) => passAtK({ n: n!, c: c!, k: k! }),
  g_pass_at_k: ({ t, ...given }: { n: number; c: number; k: number; t: PyValue }) => gPassAtK({ ...given, t: plain(t) as number }),
  mg_pass_at_k: ({ n, c, k }: Numbers) => mgPassAtK({ n: n!, c: c!, k: k! }),
  circular_patterns: ({ optionKeys }: { optionKeys: string[] }) => circularPatterns(optionKeys),
  AveragePPLEvaluator: ({ ppl }: { ppl: number[] }) => score('AveragePPLEvaluator', 'none')({ predictions: ppl, references: ppl }),
  AverageInferencePPLEvaluator: ({ ppl, tokenLen }: { ppl: number[]; tokenLen: number[] }) => ({
    average_ppl: perplexityPerToken(plain(ppl) as number[], tokenLen),
  }),
  BPCEvaluator: ({ loss, totalChrNum }: { loss: number[]; totalChrNum: number[] }) => ({
    bpc: bitsPerCharacter(plain(loss) as number[], (plain(totalChrNum) as number[])[0]!),
  }),
  judge_final_results: ({ judged, references, responses }: { judged: string[]; references: string[]; responses: string[] }) =>
    judged.length === 0 ? refuse('there are no verdicts') : judgeResults(judged, references, responses),
  evaluate_replicas: (given: Replicas) => replicas(given),
}

type Replicas = { evaluator: string; k: number | number[]; n: number; dataset: PyDict[]; predictions: PyValue[]; references: PyValue[] }

function replicas({ evaluator, ...given }: Replicas): Record<string, unknown> {
  const { figures, details } = evaluateReplicas({ ...given, evaluator: evaluatorOf({ type: evaluator }, true, 'the vector') })
  return { ...figures, details }
}

/**
 * What the reference returns for replicas: an evaluator without details returns only its last run, and a row's details
 * are those of its last replica, repeated n times, because copies of a row are one object.
 */
export function replicasOfReference({ evaluator, ...given }: Replicas): unknown {
  const { predictions, references, dataset, n } = given
  const size = Math.floor(dataset.length / n)
  const lastRun = { predictions: predictions.slice(-size), references: references.slice(-size) }
  if (evaluator === 'AccEvaluator') return score(evaluator, 'none')(lastRun)
  const repeated = (items: PyValue[]) => items.map((_, index) => items[dataset.length - size + (index % size)]!)
  const overwritten = replicas({ evaluator, ...given, predictions: repeated(predictions), references: repeated(references) })
  const own = replicas({ evaluator, ...given })
  return Object.fromEntries(Object.entries(overwritten).map(([key, value]) => [key, key.includes('runs average') ? own[key] : value]))
}
