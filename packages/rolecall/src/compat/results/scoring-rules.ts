import { PromptError } from '@rolecall/core/internal/errors'
import type { Value } from '@rolecall/core/internal/python'
import { type PyValue, pyStr } from '@rolecall/core/internal/python'
import type { PairSetup } from '../../evaluation/run/record/pair-setup.ts'
import type { PostprocessorsConfig } from '../../evaluation/score/postprocess/postprocessor.ts'
import { readerOf } from '../../evaluation/score/postprocess/postprocessors.ts'
import { filterNamed } from '../lm-eval/filter/reply-filters.ts'
import { exactMatch } from '../lm-eval/metric/exact-match.ts'
import { fieldsOf, type JsonFields, listOf, textOf, valueAt } from './foreign-values.ts'

/** A harness's rule for one metric: the compared answer and its score. */
export type ScoringRule = (reply: string, gold: string) => { pred?: string; score: number } | undefined

/** The rule of a recorded setup; undefined if it cannot be executed. Callers check it on the recorded verdicts first. */
export function scoringRule(setup: PairSetup, metric: string): ScoringRule | undefined {
  const scoring = setup.scoring[metric.replace(/ epoch \d+$/, '')]
  const make = scoring && makers[setup.harness]
  try {
    return make?.({
      extraction: scoring?.extraction,
      metric: scoring?.metric,
      normalisation: scoring?.normalisation,
      threshold: scoring?.threshold,
    })
  } catch (error) {
    // An unknown filter or postprocessor, or an option that ours does not have.
    if (error instanceof PromptError) return undefined
    throw error
  }
}

type Recorded = { extraction: unknown; metric: unknown; normalisation: unknown; threshold: unknown }

const makers: Readonly<Record<string, (recorded: Recorded) => ScoringRule | undefined>> = {
  'lm-eval': lmEvalRule,
  opencompass: postprocessedRule,
  aisbench: postprocessedRule,
  rolecall: postprocessedRule,
  inspect: inspectRule,
  promptfoo: promptfooRule,
}

function lmEvalRule({ extraction, metric, normalisation }: Recorded): ScoringRule | undefined {
  if (valueAt(metric, 'name') !== 'exact_match') return undefined
  const filters = listOf(extraction ?? [{ function: 'take_first' }]).map((step) => {
    const { function: name, ...options } = fieldsOf(step)
    return filterNamed(String(name), new Map(Object.entries(options) as [string, Value][]), 'filter')
  })
  const options = new Map(Object.entries(fieldsOf(normalisation)) as [string, Value][])
  return (reply, gold) => {
    const read = filters.reduce<Value>((replies, filter) => filter({ replies, doc: new Map() as never }), [reply])
    const pred = pyStr((Array.isArray(read) ? read[0] : read) as PyValue)
    return { pred, score: exactMatch([[gold, pred]], options) }
  }
}

/** Postprocessors by name and AccEvaluator, as OpenCompass's configs have them. */
function postprocessedRule({ extraction, metric, normalisation }: Recorded): ScoringRule | undefined {
  const type = textOf(valueAt(metric, 'type')) ?? textOf(metric)
  if (type === undefined || type.split('.').at(-1) !== 'AccEvaluator') return undefined
  const [read, readGold] = [extraction, normalisation].map((config) =>
    readerOf((config ?? undefined) as PostprocessorsConfig | undefined, 'eval_cfg'),
  )
  return (reply, gold) => {
    const pred = pyStr(read!(reply).value)
    return { pred, score: Number(pred === pyStr(readGold!(gold).value)) }
  }
}

/** Inspect's `includes`, and `match` at the end of the reply. */
function inspectRule({ metric, normalisation }: Recorded): ScoringRule | undefined {
  const [name, options] = [valueAt(metric, 'name'), fieldsOf(valueAt(metric, 'options'))]
  const isCaseIgnored = valueAt(normalisation, 'ignore_case') !== false
  const folded = (text: string) => (isCaseIgnored ? text.toLowerCase() : text)
  if (name === 'includes') return (reply, gold) => ({ pred: reply, score: Number(folded(reply).includes(folded(gold))) })
  if (name !== 'match' || options.numeric === true || (options.location ?? 'end') !== 'end') return undefined
  const bare = (text: string) => folded(text.trim()).replace(/^[!-/:-@[-`{-~]+|[!-/:-@[-`{-~]+$/g, '')
  return (reply, gold) => ({ pred: reply, score: Number(bare(reply).endsWith(bare(gold))) })
}

/** promptfoo's deterministic assertions; all must pass without a threshold. */
function promptfooRule({ extraction, metric, threshold }: Recorded): ScoringRule | undefined {
  const assertions = listOf(extraction).map(fieldsOf)
  const weights = listOf(metric).map((one) => Number(valueAt(one, 'weight') ?? 1))
  const checks = assertions.map(assertionOf)
  if (checks.length === 0 || !checks.every((check) => check !== undefined) || threshold !== null) return undefined
  return (reply, gold) => {
    const passed = checks.every((check, index) => weights[index] === 0 || check(reply, gold))
    return { pred: reply, score: Number(passed) }
  }
}

function assertionOf({ type, value, transform }: JsonFields): ((reply: string, gold: string) => boolean) | undefined {
  const name = textOf(type)
  if (name === undefined || typeof value !== 'string' || (transform ?? null) !== null) return undefined
  // Only the gold variable is known here.
  if (/\{\{(?!\s*gold\s*\}\})/.test(value)) return undefined
  const filled = (gold: string) => value.replace(/\{\{\s*gold\s*\}\}/g, () => gold)
  const isNot = name.startsWith('not-')
  const checks: Readonly<Record<string, (reply: string, wanted: string) => boolean>> = {
    contains: (reply, wanted) => reply.includes(wanted),
    icontains: (reply, wanted) => reply.toLowerCase().includes(wanted.toLowerCase()),
    equals: (reply, wanted) => reply.trim() === wanted.trim(),
    'starts-with': (reply, wanted) => reply.startsWith(wanted),
  }
  const check = checks[isNot ? name.slice(4) : name]
  return check && ((reply, gold) => check(reply, filled(gold)) !== isNot)
}
