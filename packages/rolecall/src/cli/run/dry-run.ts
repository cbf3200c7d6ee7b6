import { oneByOne } from '../../evaluation/dataset/chunks.ts'
import type { GenerationSettings } from '../../evaluation/run/ask/generation-settings.ts'
import { planRequests } from '../../evaluation/run/ask/plan-requests.ts'
import { sentText } from '../../evaluation/run/ask/request-text.ts'
import { allRequests, fitRow, startRow } from '../../evaluation/run/ask/start-row.ts'
import { estimateTokens } from '../../evaluation/run/estimate-tokens.ts'
import { judgePromptText } from '../../evaluation/run/judge-prompts.ts'
import type { ColumnsOf } from '../../evaluation/run/prepared-pairs.ts'
import { modelText } from '../../evaluation/run/record/pair-name.ts'
import { emptyJudgePrompts, replyLimits } from '../../evaluation/run/row-bound.ts'
import { rowLimit } from '../../evaluation/run/row-limit.ts'
import type { Pair, RunEnvironment, RunEvent } from '../../evaluation/run/run-pairs.ts'
import type { RunOptions } from '../../evaluation/run/run-types.ts'
import { tokenizerOf } from '../../node/models/load-tokenizer.ts'
import { pairsText, type ShownReadiness } from '../readiness-lines.ts'
import type { Grid, ScreenBlock } from '../screen/blocks.ts'

/** What one pair would send. */
export type DryRun = {
  model: string
  format?: string | undefined
  dataset: string
  rows: number
  /** With `-r`: rows already answered, not counted in `rows`. */
  kept?: number
  prompts: number
  /** Undefined without the model's tokenizer. */
  tokens?: number
  longest?: number
  /** The prompt tokens, estimated from characters; only without the model's tokenizer. */
  estimatedTokens?: number
  /** How often each prompt is sent, if more than once. */
  samples?: number
  /** The prompts of the judge, with empty answers. */
  judge?: { prompts: number; estimatedTokens: number }
  /** Upper bound of generated tokens. */
  mostGenerated?: number
  /** With `--retry-cut`: how many of these are of second attempts. */
  mostRetried?: number
  examplesDropped: number
  /** Generation settings and their sources; absent if nothing is generated. */
  settings?: GenerationSettings
} & Partial<ShownReadiness>

/** The rows a run would send; `kept` are those already answered in a resumed run. */
export type RowSelection = Pick<RunOptions, 'limit' | 'shard' | 'retryCut'> & { kept?: ReadonlyMap<Pair, ReadonlySet<number>> | undefined }

/** Renders all prompts of the pairs without sending anything. */
export async function dryRun(
  pairs: readonly Pair[],
  environment: RunEnvironment,
  folder: string,
  chosen: RowSelection,
  onPrepare: (event: RunEvent & { kind: 'prepare' }) => void = () => undefined,
  columns: ColumnsOf = new Map(),
): Promise<DryRun[]> {
  const found: DryRun[] = []
  for (const pair of pairs) found.push(await dryRunPair(pair, environment, folder, chosen, onPrepare, columns.get(pair.dataset)))
  return found
}

async function dryRunPair(
  pair: Pair,
  environment: RunEnvironment,
  folder: string,
  { limit, shard = { index: 0, count: 1 }, kept, retryCut }: RowSelection,
  onPrepare: (event: RunEvent & { kind: 'prepare' }) => void,
  columns: ReadonlySet<string> | undefined,
): Promise<DryRun> {
  const { name, model } = pair
  const tokenizer = tokenizerOf(model, folder)
  const plan = planRequests(pair, { tokenizer, columns })
  const opened = await environment.openRows(pair.dataset, {
    onProgress: (preparation) => onPrepare({ kind: 'prepare', pair, ...preparation }),
  })
  const sums = { rows: 0, prompts: 0, tokens: 0, longest: 0, examplesDropped: 0 }
  const judge = { prompts: 0, estimatedTokens: 0 }
  let [estimatedTokens, generated] = [0, 0]
  const most = rowLimit(limit, opened.total, name.dataset)
  let id = -1
  for await (const row of oneByOne(opened.rows)) {
    if (++id >= most) break
    if (id % shard.count !== shard.index || kept?.get(pair)?.has(id)) continue
    const begun = startRow(plan, { row, examples: await opened.examplesFor(row, id) })
    const fitted = fitRow(plan, begun)
    const requests = allRequests(plan, fitted)
    const prompts = requests.flatMap(({ prompts: asked }) => asked.map(({ prompt }) => prompt))
    for (const { kind, prompts: asked } of requests) if (kind === 'generate') generated += asked.length
    sums.rows++
    sums.prompts += prompts.length
    sums.examplesDropped += fitted.examples.dropped
    for (const prompt of pair.judge ? emptyJudgePrompts(pair, row, plan.samples) : []) {
      judge.prompts++
      judge.estimatedTokens += estimateTokens(judgePromptText(prompt))
    }
    for (const prompt of prompts) {
      if (!tokenizer) {
        estimatedTokens += estimateTokens(sentText(prompt))
        continue
      }
      const tokens = plan.count!(prompt)
      sums.tokens += tokens
      sums.longest = Math.max(sums.longest, tokens)
    }
  }
  const { tokens, longest, ...counted } = sums
  const [first, second] = (generated > 0 || pair.inferencer.needs === 'generate' ? replyLimits(plan, retryCut) : []).map(
    (limit) => generated * plan.samples * limit,
  )
  return {
    ...name,
    ...counted,
    ...(kept ? { kept: kept.get(pair)?.size ?? 0 } : {}),
    ...(tokenizer ? { tokens, longest } : { estimatedTokens }),
    ...(plan.samples > 1 ? { samples: plan.samples } : {}),
    ...(pair.judge ? { judge } : {}),
    ...(first === undefined ? {} : { mostGenerated: first + (second ?? 0), settings: pair.settings }),
    ...(second === undefined ? {} : { mostRetried: second }),
  }
}

/** Generation settings and their sources: one line per pair, or one for all if they are equal. */
export function settingsBlocks(plans: readonly DryRun[]): ScreenBlock[] {
  const byText = new Map<string, { parts: string[]; pairs: string[] }>()
  for (const plan of plans) {
    if (!plan.settings) continue
    const parts = Object.entries(plan.settings).map(settingText)
    const { pairs } = byText.get(parts.join(' · ')) ?? { pairs: [] }
    byText.set(parts.join(' · '), { parts, pairs: [...pairs, `${modelText(plan)} on ${plan.dataset}`] })
  }
  if (byText.size === 0) return []
  const lines = [...byText.values()].map(({ parts, pairs }): ScreenBlock & { kind: 'parts' } => ({
    kind: 'parts',
    parts: byText.size === 1 ? parts : [pairsText(pairs), ...parts],
  }))
  if (byText.size === 1)
    return [{ kind: 'parts', parts: lines[0]?.parts.map((part, index) => (index === 0 ? `settings: ${part}` : part)) ?? [] }]
  return [
    {
      kind: 'group',
      blocks: [
        { kind: 'prose', text: 'settings' },
        { kind: 'indented', by: 2, blocks: lines },
      ],
    },
  ]
}

type Shown = { value: unknown; by: string }

function settingText([name, { value, by, over = [] }]: [string, Shown & { over?: readonly Shown[] }]): string {
  const others = over.map((one) => `${JSON.stringify(one.value)} of the ${one.by}`)
  return `${name} ${JSON.stringify(value)} (${by}${others.length > 0 ? `, over ${others.join(', ')}` : ''})`
}

/** The plan as a table. */
export function dryRunTable(plans: readonly DryRun[]): Grid {
  const number = (value: number | undefined) => ({ text: value === undefined ? '?' : value.toLocaleString('en') })
  const isResumed = plans.some(({ kept }) => kept !== undefined)
  const isCounted = plans.some(({ tokens }) => tokens !== undefined)
  const isDropping = plans.some(({ examplesDropped }) => examplesDropped > 0)
  const titles = [
    ...(isResumed ? ['kept', 'to send'] : ['rows']),
    'prompts',
    ...(isCounted ? ['tokens', 'longest'] : []),
    'generated ≤',
    ...(isDropping ? ['examples dropped'] : []),
  ]
  const rows = plans.map((plan) => ({
    cells: [
      { text: modelText(plan), tone: 'strong' as const },
      { text: plan.dataset },
      ...(isResumed ? [number(plan.kept)] : []),
      number(plan.rows),
      number(plan.prompts),
      ...(isCounted ? [number(plan.tokens), number(plan.longest)] : []),
      plan.mostGenerated === undefined ? { text: '–' } : number(plan.mostGenerated),
      ...(isDropping ? [number(plan.examplesDropped)] : []),
    ],
  }))
  return {
    kind: 'grid',
    columns: [
      { title: 'model', mayShorten: true },
      { title: 'dataset', mayShorten: true },
      ...titles.map((title) => ({ title, isNumber: true })),
    ],
    rows,
  }
}
