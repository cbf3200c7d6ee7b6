import { compactJson, type PyValue } from '@rolecall/core/internal/python'
import type { Facts, ScoringSetup } from '../../evaluation/run/record/pair-setup.ts'
import { bySamplingName, samplingSettings } from '../../model/language-model/sampling-settings.ts'
import type { WhySide } from './why-row.ts'

/** A difference between recorded settings. */
export type SetupCause = { cause: string; detail: string }

type Sides = readonly [WhySide, WhySide]

const samplingCauses: Readonly<Record<string, string>> = {
  max_tokens: 'max tokens',
  stop: 'stop strings',
  ...bySamplingName(({ cause }) => cause.en),
  default_seed: samplingSettings.seed.cause.en,
  do_sample: samplingSettings.temperature.cause.en,
}

const promptCausesByFact: Readonly<Record<string, string>> = {
  shots: 'shots',
  retriever: 'shots',
  multiturn: 'shot layout',
  system: 'system prompt',
  chat_template: 'chat template',
  format: 'chat template',
  template: 'instruction',
  choices_shuffled: 'choice order',
  bos: 'BOS',
  thinking: 'chat template',
}

/** Settings that change what the model gets, though recorded prompts do not show it. */
const afterPrompt = ['bos', 'thinking', 'chat_template']

/** Settings of prompts that differ, for rows whose prompts are not recorded. Harnesses describe templates differently. */
export function promptDifferences([first, second]: Sides): SetupCause[] {
  const isSameTool = areComparable([first, second])
  const named = isSameTool ? promptCausesByFact : { shots: 'shots', system: 'system prompt' }
  const isComparable = (value: PyValue | undefined) => isSameTool || typeof value !== 'object'
  const found = differences([first.setup.prompt, second.setup.prompt], isSameTool, (name) => named[name as keyof typeof named])
  const causes = merged(found.filter(({ name }) => isComparable(first.setup.prompt[name]) && isComparable(second.setup.prompt[name])))
  // Without examples there is no layout of them.
  return causes.some(({ cause }) => cause === 'shots') ? causes.filter(({ cause }) => cause !== 'shot layout') : causes
}

/** Settings that differ and that recorded prompts do not show. */
export function hiddenPromptDifferences(sides: Sides): SetupCause[] {
  if (!areComparable(sides)) return []
  const facts = sides.map(({ setup }) => setup.prompt) as [Facts, Facts]
  return merged(differences(facts, true, (name) => (afterPrompt.includes(name) ? promptCausesByFact[name] : undefined)))
}

/** Whether settings have the same form on both sides, and absent ones are unset. */
function areComparable([first, second]: Sides): boolean {
  return first.setup.harness === second.setup.harness && !first.setup.isUnknown && !second.setup.isUnknown
}

/** Settings of the model that differ: precision, quantisation, revision, adapter. */
export function modelDifferences([first, second]: Sides): SetupCause[] {
  if (!areComparable([first, second])) return []
  return merged(differences([first.setup.model ?? {}, second.setup.model ?? {}], true, () => 'model'))
}

/** Settings with another value. Between harnesses, one that only one recorded is unknown, not different. */
function differences(
  [one, other]: readonly [Facts, Facts],
  isSameTool: boolean,
  causeOf: (name: string) => string | undefined,
): (SetupCause & { name: string })[] {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return names.flatMap((name) => {
    const cause = causeOf(name)
    const isKnown = isSameTool || (one[name] !== undefined && other[name] !== undefined)
    if (cause === undefined || !isKnown || shown(one[name]) === shown(other[name])) return []
    return [{ name, cause, detail: `${name} ${shown(one[name])} → ${shown(other[name])}` }]
  })
}

/** Settings of generation that differ. */
export function samplingDifferences([first, second]: Sides): SetupCause[] {
  const [request, otherRequest] = [first.setup.request, second.setup.request]
  if (request !== otherRequest && request !== undefined && otherRequest !== undefined)
    return [{ cause: 'request type', detail: `${request} → ${otherRequest}` }]
  const isSameTool = areComparable([first, second])
  const found: SetupCause[] = differences(
    [first.setup.sampling, second.setup.sampling],
    isSameTool,
    (name) => samplingCauses[name] ?? 'sampling',
  ).filter(({ name }) => name !== 'default_seed' || [first, second].every(({ setup }) => setup.sampling.default_seed !== undefined))
  const [epochs, otherEpochs] = [first, second].map(({ setup, metric }) => (/ epoch \d+$/.test(metric) ? 1 : (setup.rows.epochs ?? 1))) as [
    PyValue,
    PyValue,
  ]
  if (shown(epochs) !== shown(otherEpochs))
    found.push({ cause: 'repeats', detail: `${shown(epochs)} → ${shown(otherEpochs)} replies per row` })
  return merged(found)
}

/** Settings of scoring that differ. Between harnesses, rules have different forms: only their verdicts are compared. */
export function scoringDifferences([first, second]: Sides): SetupCause[] {
  if (!areComparable([first, second])) return []
  const [one, other] = [scoringOf(first), scoringOf(second)]
  const own = one && other ? between(one, other, [baseMetric(first.metric), baseMetric(second.metric)]) : []
  if (own.length > 0 || baseMetric(first.metric) !== baseMetric(second.metric)) return own
  // A difference of another metric is a difference of the runs, though it cannot change this one.
  const others = Object.keys(first.setup.scoring).filter((name) => name !== baseMetric(first.metric))
  return merged(
    others.flatMap((name) => {
      const [left, right] = [first.setup.scoring[name]!, second.setup.scoring[name]]
      return right
        ? between(left, right, [name, name]).map(({ cause, detail }) => ({ cause, detail: `${detail}; touches ${name} only` }))
        : []
    }),
  )
}

/** `match epoch 2` is `match`. */
export function baseMetric(metric: string): string {
  return metric.replace(/ epoch \d+$/, '')
}

function scoringOf({ setup, metric }: WhySide): ScoringSetup | undefined {
  return setup.scoring[baseMetric(metric)]
}

function between(one: ScoringSetup, other: ScoringSetup, [first, second]: readonly [string, string]): SetupCause[] {
  const change = (key: keyof ScoringSetup) => `${shown(one[key])} → ${shown(other[key])}`
  // Another scorer brings its own options: they are no causes beside it.
  if (first !== second && shown(one.metric) !== shown(other.metric))
    return [{ cause: isLength(first, second) ? 'length normalisation' : 'scorer', detail: `${first} → ${second}` }]
  const causes: SetupCause[] = []
  if (shown(one.extraction) !== shown(other.extraction))
    causes.push({
      cause: isOtherCase(one.extraction, other.extraction) ? 'gold normalisation' : 'extraction',
      detail: change('extraction'),
    })
  if (shown(one.normalisation) !== shown(other.normalisation)) causes.push({ cause: 'gold normalisation', detail: change('normalisation') })
  if (shown(one.threshold) !== shown(other.threshold)) causes.push({ cause: 'pass threshold', detail: change('threshold') })
  // Weights of assertions change with the assertions.
  const isWeights = Array.isArray(one.metric) && causes.length > 0
  if (shown(one.metric) !== shown(other.metric) && !isWeights) causes.push({ cause: 'scorer', detail: change('metric') })
  if (causes.length === 0 && first !== second) causes.push({ cause: 'scorer', detail: `${first} → ${second}` })
  return causes
}

/** `acc` and `acc_norm` differ in dividing by the length of a choice. */
function isLength(first: string, second: string): boolean {
  const plain = (name: string) => name.replace(/_norm(?=$|,)/, '')
  return first !== second && plain(first) === plain(second)
}

/** Assertions that differ only in ignoring case: `contains` and `icontains`. */
function isOtherCase(one: PyValue | undefined, other: PyValue | undefined): boolean {
  const plain = (value: PyValue | undefined) => shown(value).replaceAll(/"type":"(not-)?i(contains|equals|starts-with)/g, '"type":"$1$2')
  return plain(one) === plain(other)
}

/** The settings of one cause as one entry. */
function merged(causes: readonly SetupCause[]): SetupCause[] {
  const found = new Map<string, string[]>()
  for (const { cause, detail } of causes) found.set(cause, [...(found.get(cause) ?? []), detail])
  return [...found].map(([cause, details]) => ({ cause, detail: [...new Set(details)].join('; ') }))
}

function shown(value: PyValue | undefined): string {
  return value === undefined || value === null ? 'unset' : typeof value === 'string' ? value : compactJson(sorted(value))
}

/** The keys of objects in one order, which says nothing. */
function sorted(value: PyValue): PyValue {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner as PyValue)]))
}
