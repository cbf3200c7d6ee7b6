import { PromptError } from '@rolecall/core/internal/errors'
import {
  dictEntries,
  dictGet,
  floatOf,
  isDict,
  isList,
  numpyRound,
  type PyDict,
  type PyValue,
  pyEqual,
  strip,
} from '@rolecall/core/internal/python'
import { ownEntry } from '@rolecall/core/internal/schema'
import * as z from 'zod'
import { defineEvaluator, type Figures } from '../../../../evaluation/score/evaluate/evaluator.ts'
import { answerText, goldText, wrongGold } from '../../../../evaluation/score/evaluate/given.ts'
import { count, mean } from '../../../../evaluation/score/evaluate/shares.ts'
import { guardedPattern } from '../../../../python/regex/index.ts'
import { readLiteral } from '../../../../python/syntax/literal.ts'
import { jsonDict } from '../json-dict.ts'
import { valueOfAnswer } from './teval-answer.ts'
import { likenesses } from './teval-likeness.ts'

/** The dict that an answer is. */
function dictOfAnswer(text: string): PyDict | undefined {
  const value = valueOfAnswer(text)
  return isDict(value) ? value : undefined
}

type Gold = { template: PyDict; right: PyDict; format: string }

function goldOf(reference: PyValue): Gold {
  const gold = jsonDict(goldText(reference))
  const [template, right, meta] = ['template', 'ground_truth', 'meta_data'].map((name) => gold && dictGet(gold, name))
  const format = isDict(meta) ? dictGet(meta, 'response_format') : undefined
  if (isDict(template) && isDict(right) && typeof format === 'string') return { template, right, format }
  throw wrongGold('it is not JSON with template, ground_truth and meta_data.response_format', 'use rows as TEvalDataset gives them')
}

type Call = { action: PyValue; args: PyDict }

const asArguments = (value: PyValue | undefined) => (isDict(value) ? value : {})

/** A call in JSON, whose keys the row names. */
function jsonCall(answer: string, template: PyDict): Call | undefined {
  const said = dictOfAnswer(answer)
  const [thought, action, args] = ['thought', 'action', 'args'].map((part) => {
    const key = dictGet(template, part)
    return said && typeof key === 'string' ? dictGet(said, key) : undefined
  })
  return thought === undefined || action === undefined || args === undefined ? undefined : { action, args: asArguments(args) }
}

/** A call between marks, which the row names: patterns, as in OpenCompass. */
function markedCall(answer: string, template: PyDict): Call | undefined {
  const mark = (name: string) => {
    const value = dictGet(template, name)
    if (typeof value === 'string') return value
    throw wrongGold(`its template has no ${name}`, 'use rows as TEvalDataset gives them')
  }
  const pattern = ['thought', 'action', 'args'].map((part) => `${mark(`${part}_start`)}(.*)${mark(`${part}_end`)}`).join('')
  const found = guardedPattern(pattern, { dotAll: true }).first(answer)
  return found && { action: strip(found.groups[1]!), args: asArguments(readLiteral(strip(found.groups[2]!))) }
}

/** The share of the action and its arguments that are right. */
function shareOfCall({ action, args }: Call, right: PyDict): number {
  const wanted = dictEntries(asArguments(dictGet(right, 'args')))
  const equal = count(wanted, ([name, value]) => pyEqual(dictGet(args, name) ?? '', value))
  return (Number(pyEqual(action, dictGet(right, 'action') ?? null)) + equal) / (wanted.length + 1)
}

/** The metrics of one row. */
type Grade = (answer: string, gold: Gold) => Figures

const instruct: Grade = (answer, { template, right, format }) => {
  const call = format === 'json' ? jsonCall(answer, template) : markedCall(answer, template)
  return { [`${format}_format_metric`]: Number(call !== undefined), [`${format}_args_em_metric`]: call ? shareOfCall(call, right) : 0 }
}

const review: Grade = (answer, { right, format }) => {
  const gold = dictGet(right, 'answer') ?? null
  const said = format === 'json' ? saidFinished(answer) : strip(answer.slice(answer.indexOf(':') + 1)).slice(0, 1)
  if (said === undefined || (typeof said === 'string' && !/^[A-E]$/.test(said))) return { parse_rate: 0, review_quality: 0 }
  return { parse_rate: 1, review_quality: Number(pyEqual(said, gold)) }
}

function saidFinished(answer: string): PyDict | undefined {
  const value = dictGet(dictOfAnswer(answer) ?? {}, 'is_finished')
  return value !== undefined && (pyEqual(value, true) || pyEqual(value, false)) ? { review: value } : undefined
}

const subsets: Readonly<Record<string, { grade: Grade; names: readonly string[] }>> = {
  instruct: { grade: instruct, names: ['json_format_metric', 'json_args_em_metric', 'string_format_metric', 'string_args_em_metric'] },
  review: { grade: review, names: ['parse_rate', 'review_quality'] },
}

const four = (value: number) => numpyRound(value, 4)

export const teval = defineEvaluator({
  names: ['TEvalEvaluator'],
  does: 'By `subset` of T-Eval: whether a call has the right format, action and arguments (instruct), or a review the right letter (review); how alike plans (plan), and thoughts and arguments (reason_retrieve_understand, reason, retrieve, understand) are to the right ones by their embeddings. Means in per cent.',
  example: {
    options: { subset: 'review' },
    answers: ['Answer: A', 'none'],
    gold: ['A', 'B'].map((answer) => JSON.stringify({ template: {}, ground_truth: { answer }, meta_data: { response_format: 'string' } })),
    figures: { parse_rate: 50 },
  },
  options: z.strictObject({
    subset: z.string().describe('The subset, such as instruct or plan, or with _zh.'),
    embeddings: z
      .union([z.literal('energetic-ai'), z.strictObject({ base_url: z.string(), model: z.string() })])
      .optional()
      .describe(
        'Where embeddings come from; ROLECALL_EMBEDDINGS by default. OpenCompass loads all-mpnet-base-v2, or gte-large-zh for Chinese.',
      ),
  }),
  needsEmbeddings: true,
  with({ subset, embeddings: source }, _words, compat) {
    const name = subset.replace(/_zh$/, '')
    const [rule, likeness] = [ownEntry(subsets, name), ownEntry(likenesses, name)]
    const { names } = rule ?? likeness ?? unknownSubset(subset)
    if (likeness && !source) throw noEmbeddings(subset)
    return {
      metric: names[0]!,
      kind: 'graded' as const,
      unit: 'percent',
      needsReference: true,
      goldIsNoReply: true as const,
      ...(compat ? { ofNothing: Object.fromEntries(names.map((one) => [one, Number.NaN])) } : {}),
      ...(likeness && source ? { embeds: { source, pairs: likeness.pairs } } : {}),
      judge({ prediction, reference, answered = null }) {
        const said = answerText(likeness ? answered : prediction)
        const similarities = isList(prediction) ? prediction.map((one) => floatOf(one) ?? 0) : []
        const keep = likeness ? likeness.grade(said, reference, similarities) : rule!.grade(said, goldOf(reference))
        return { score: Object.values(keep)[0]!, detail: { pred: said, ...keep }, keep }
      },
      summarise: (rows: readonly Figures[]): Figures =>
        Object.fromEntries(names.map((one) => [one, 100 * (likeness ? Number : four)(mean(rows.flatMap((row) => row[one] ?? [])))])),
    }
  },
})

function unknownSubset(subset: string): never {
  throw new PromptError('unsupported-evaluator', {
    where: 'eval_cfg.evaluator › subset',
    problem: `TEvalEvaluator has no subset "${subset}"`,
    fix: `use ${[...Object.keys(subsets), ...Object.keys(likenesses)].join(', ')}, or one of them with _zh`,
  })
}

function noEmbeddings(subset: string): PromptError {
  return new PromptError('missing', {
    where: 'eval_cfg.evaluator.embeddings',
    problem: `TEvalEvaluator compares texts of "${subset}" by their embeddings, and no embedding model is named`,
    fix: 'set ROLECALL_EMBEDDINGS=MODEL@URL, or write embeddings: { base_url, model } in the evaluator',
  })
}
