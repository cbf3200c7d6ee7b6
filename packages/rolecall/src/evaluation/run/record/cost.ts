import type { ModelConfig } from '../../config/config-schema.ts'
import type { Cost, PairResult, RowRecord, RunSummary, RunTotals, Spent, TokenUsage } from './run-record.ts'

export type Price = NonNullable<ModelConfig['price']>

/** Tokens, and money in the currency of the price. */
export type Amount = { tokens: number; cost: number }

export function noTokens(): TokenUsage {
  return { prompt: 0, reused: 0, reply: 0 }
}

export function addTokens(sum: TokenUsage, { prompt, reused, reply, unreported }: TokenUsage): void {
  sum.prompt += prompt
  sum.reused += reused
  sum.reply += reply
  if (unreported !== undefined) sum.unreported = (sum.unreported ?? 0) + unreported
}

/** The tokens that judging a row took in this run; undefined if no judge was queried. */
export function judgeTokensOf({ details }: RowRecord): TokenUsage | undefined {
  const tokens = details?.judge_tokens as Readonly<Record<string, number>> | undefined
  if (!tokens) return undefined
  const { prompt = 0, reused = 0, reply = 0, unreported } = tokens
  return { prompt, reused, reply, ...(unreported === undefined ? {} : { unreported }) }
}

/** Whether there are any tokens, or replies whose tokens the server did not report. */
export function isAny({ prompt, reply, unreported = 0 }: TokenUsage): boolean {
  return prompt + reply + unreported > 0
}

/**
 * The cost of some tokens; prices are per million.
 *
 * @example
 * costOf({ prompt: 2_000_000, reused: 0, reply: 500_000 }, { input: 1, output: 4 }) // => { amount: 4, currency: 'USD' }
 */
export function costOf({ prompt, reused, reply }: TokenUsage, { input, output, cached_input = input, currency = 'USD' }: Price): Cost {
  return { amount: ((prompt - reused) * input + reused * cached_input + reply * output) / 1e6, currency }
}

export function totalsOf(results: readonly PairResult[]): RunTotals {
  const [tokens, judgeTokens] = [noTokens(), noTokens()]
  const sums = new Map<string, number>()
  for (const result of results) {
    addTokens(tokens, result.tokens)
    if (result.judgeTokens) addTokens(judgeTokens, result.judgeTokens)
    for (const { amount, currency } of result.costs ?? []) sums.set(currency, (sums.get(currency) ?? 0) + amount)
  }
  const unpriced = [...new Set(results.flatMap(({ unpriced: names = [] }) => names))]
  return {
    rows: results.reduce((sum, { rows }) => sum + rows, 0),
    tokens,
    ...(isAny(judgeTokens) ? { judgeTokens } : {}),
    ...(sums.size > 0 ? { costs: [...sums].map(([currency, amount]) => ({ amount, currency })) } : {}),
    ...(sums.size > 0 && unpriced.length > 0 ? { unpriced } : {}),
  }
}

/** Totals as a sentence. */
export function totalsText({ tokens, judgeTokens, costs = [], unpriced = [] }: RunTotals): string {
  const parts = [
    tokensText('', tokens),
    ...(judgeTokens ? [tokensText('judges: ', judgeTokens)] : []),
    ...costs.map((cost) => `cost ${costText(cost)}`),
    ...(costs.length === 0 && (tokens.unreported ?? 0) > 0 ? ['cost unknown'] : []),
    ...(unpriced.length > 0 ? [`without ${unpriced.join(', ')}, whose cost is unknown`] : []),
  ]
  return parts.join('; ')
}

/** What a run has spent as text; if pairs are unfinished, also what these have. */
export function spendingLines({ results, totals, spent }: RunSummary): string[] {
  if (!spent) return totals ? [totalsText(totals)] : []
  return [
    ...(totals && results.length > 0 ? [`finished models and datasets: ${totalsText(totals)}`] : []),
    `with the unfinished ones: ${spentText(spent)}`,
  ]
}

/** Amounts by currency, models whose cost is unknown, and tokens. */
export function spentText({ tokens, cost, costs = [], unpriced = [] }: Spent): string {
  return [
    `${tokens.toLocaleString('en')} tokens`,
    ...[...(cost ? [cost] : []), ...costs].map((one) => `cost ${costText(one)}`),
    ...(unpriced.length > 0 ? [`without ${unpriced.join(', ')}, whose cost is unknown`] : []),
  ].join('; ')
}

function tokensText(who: string, { prompt, reused, reply, unreported = 0 }: TokenUsage): string {
  const number = (count: number) => count.toLocaleString('en')
  if (unreported > 0 && prompt + reply === 0) return `${who}tokens not reported by the server`
  const more = unreported > 0 ? `; not reported for ${number(unreported)} replies` : ''
  return `${who}${number(prompt)} prompt tokens${reused > 0 ? ` (${number(reused)} of them cached)` : ''}, ${number(reply)} generated${more}`
}

/** Small amounts with two significant digits. */
export function costText({ amount, currency }: Cost): string {
  return `${amount >= 1 || amount === 0 ? amount.toFixed(2) : amount.toPrecision(2)} ${currency}`
}
