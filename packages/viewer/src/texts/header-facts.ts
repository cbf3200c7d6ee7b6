import { showDecimal, showNumber } from './numbers.ts'
import { translated } from './translated.ts'

type Tokens = { prompt: number; reply: number; unreported?: number }

/** The facts at the top of a run's page. */
export const headerFactTexts = translated(
  {
    options: 'options',
    hub: 'from a hub',
    rows: 'rows',
    tokens: 'tokens',
    rowsOf: (rows: number, all: number) => `${showNumber(rows)} of ${showNumber(all)}`,
    tokensText: ({ prompt, reply, unreported = 0 }: Tokens, judge?: Tokens): string =>
      `${showNumber(prompt)} prompt, ${showNumber(reply)} generated${unreported > 0 ? ` (not reported for ${showNumber(unreported)} answers)` : ''}${judge ? `; judges ${showNumber(judge.prompt)} prompt, ${showNumber(judge.reply)} generated` : ''}`,
    costText: (cost: string, unpriced: readonly string[]) =>
      unpriced.length > 0 ? `${cost}, without ${unpriced.join(', ')} (no price)` : cost,
    cost: 'cost',
    time: 'time',
    timeText: (seconds: number, rate: number) => `${showDecimal(seconds, 1)} s, ${showDecimal(rate, 1)} rows/s`,
    cut: 'at the token limit',
    cutText: (rows: number, share: number) => `${showNumber(rows)} (${showDecimal(share, 1)} %)`,
  },
  {
    options: '选项',
    hub: '来自平台',
    rows: '行数',
    tokens: 'token',
    rowsOf: (rows, all) => `${showNumber(all)} 行中的 ${showNumber(rows)} 行`,
    tokensText: ({ prompt, reply, unreported = 0 }, judge) =>
      `提示词 ${showNumber(prompt)}，生成 ${showNumber(reply)}${unreported > 0 ? `（服务器未返回 ${showNumber(unreported)} 个回答的用量）` : ''}${judge ? `；裁判：提示词 ${showNumber(judge.prompt)}，生成 ${showNumber(judge.reply)}` : ''}`,
    costText: (cost, unpriced) => (unpriced.length > 0 ? `${cost}，不含 ${unpriced.join('、')}（没有价格）` : cost),
    cost: '费用',
    time: '用时',
    timeText: (seconds, rate) => `${showDecimal(seconds, 1)} 秒，每秒 ${showDecimal(rate, 1)} 行`,
    cut: '达到 token 上限',
    cutText: (rows, share) => `${showNumber(rows)}（${showDecimal(share, 1)}%）`,
  },
)
