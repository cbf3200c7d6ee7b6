import { dictEntries, dictGet, isDict, type PyDict, type PyValue } from '../../../packages/core/src/base/python/index.ts'
import type { Row } from '../../../packages/core/src/prompt/conversation/row.ts'
import { withoutCode } from '../../../packages/rolecall/src/compat/opencompass/postprocessors/judge/bradley-terry.ts'
import { atlasJudgements } from '../../../packages/rolecall/src/compat/opencompass/postprocessors/judge/checklists.ts'
import { registerOpenCompass } from '../../../packages/rolecall/src/compat/opencompass/register-opencompass.ts'
import { figuresOfJudged, type Judged } from '../../../packages/rolecall/src/evaluation/score/postprocess/judge-postprocessor.ts'
import {
  judgePostprocessorOf,
  judgePostprocessors,
} from '../../../packages/rolecall/src/evaluation/score/postprocess/judge-postprocessors.ts'
import { plain, type ScoringVector } from '../scoring/vector.ts'
import type { Operation } from './operation.ts'

registerOpenCompass()

type Args = ScoringVector['args']

/** Postprocessors whose details are a separate list; for the others, details are the judge's replies with a metric added to each. */
const listed = /llmjudge_postprocess$|^advancedif_|^peer_/

/** The vectors' names for judge postprocessors. */
export const judgeOperations: Record<string, Operation> = {
  ...Object.fromEntries([...judgePostprocessors.keys()].map((type) => [type, { run: (args: Args) => figuresAndDetails(type, args) }])),
  // Already rounded to two digits, and computed by a different solver.
  arenahard_postprocess: { run: (args) => figuresAndDetails('arenahard_postprocess', args), tolerance: 4e-4 },
  // The vector gives only the details; the metric is ours.
  peer_llm_judge_postprocess: { run: (args) => ({ details: figuresAndDetails('peer_llm_judge_postprocess', args).details }) },
  atlas_judge_postprocess: { run: atlasMajority },
  ...Object.fromEntries(
    [...judgePostprocessors.keys()]
      .filter((type) => /_bradleyterry_postprocess$/.test(type))
      .map((type) => [type, { run: (args: Args) => matchesOf(type, args) }]),
  ),
}

/** The judges' replies, row by row. */
export function judgedRows({ output, testSet }: Args): Judged[] {
  return dictEntries(output as PyDict).map(([key, item]) => ({
    said: String(field(item, 'prediction')),
    gold: field(item, 'gold'),
    row: (((testSet ?? []) as readonly PyValue[])[Number(key)] ?? {}) as Row,
    index: Number(key),
    prompt: field(item, 'origin_prompt') ?? null,
  }))
}

function field(item: PyValue, name: string): PyValue | undefined {
  return isDict(item) ? dictGet(item, name) : undefined
}

/** The value extracted from each row. */
export function readRows(type: string, args: Args): unknown[] {
  const { postprocessor, options } = judgePostprocessorOf({ type, ...(plain(args.options ?? {}) as object) }, 'dict_postprocessor')!
  return judgedRows(args).map((judged) => postprocessor.read(judged, options))
}

function figuresAndDetails(type: string, args: Args): Record<string, unknown> {
  const { postprocessor, options } = judgePostprocessorOf({ type, ...(plain(args.options ?? {}) as object) }, 'dict_postprocessor')!
  const kept = readRows(type, args)
  const details = judgedRows(args).map((judged, index) => postprocessor.detail?.(judged, kept[index]) ?? {})
  const entries = dictEntries(args.output as PyDict)
  return {
    ...nested(figuresOfJudged(postprocessor, kept, options, 'opencompass')),
    details: listed.test(type)
      ? details
      : Object.fromEntries(entries.map(([key, item], index) => [key, { ...(plain(item) as object), ...details[index] }])),
  }
}

/** The reference returns matches only. Its count of tokens, which we leave out, is that of bytes in the vectors. */
function matchesOf(type: string, args: Args): unknown {
  const { details } = figuresAndDetails(type, args) as { details: Record<string, { match?: Record<string, unknown> }> }
  const bytes = (text: unknown) => new TextEncoder().encode(withoutCode(String(text))).length
  const matches = Object.values(details).flatMap(({ match }) => (match ? [match] : []))
  return {
    matches: matches.map((match) => ({
      ...match,
      conv_metadata: {
        ...(match.conv_metadata as object),
        sum_assistant_tokens_a: bytes(match.prediction1),
        sum_assistant_tokens_b: bytes(match.prediction2),
      },
    })),
  }
}

/** `category_accuracy.A` is a metric inside a dict. */
function nested(figures: Record<string, number>): Record<string, unknown> {
  const result: Record<string, unknown> = 'solving_rate' in figures ? { category_accuracy: {} } : {}
  for (const [name, figure] of Object.entries(figures)) {
    const [, dict, key] = /^(category_accuracy)\.(.*)$/s.exec(name) ?? []
    if (dict === undefined) result[name] = figure
    else (result[dict] as Record<string, number>)[key!] = figure
  }
  return result
}

/** Several judges with a majority vote: the rows are those of the first judge. */
function atlasMajority({ output }: Args): Record<string, unknown> {
  const judges = dictEntries(output as PyDict).map(([, rows]) => judgedRows({ output: rows }))
  const details = judges[0]!.map((_, index) => {
    const said = judges.map((rows) => rows[index]!)
    const parsed = said.map((one) => {
      const judgements = atlasJudgements(one.said)
      return { judgements, overall_judge: judgements.every((judgement) => field(judgement, 'label') === 'A') }
    })
    return {
      origial_judge: said.map((one) => one.said),
      reference: said.map(({ gold }) => gold),
      parsed_judge: parsed,
      correct: parsed.filter((one) => one.overall_judge).length > Math.floor(parsed.length / 2),
    }
  })
  return { accuracy: (details.filter(({ correct }) => correct).length / details.length) * 100, details }
}
