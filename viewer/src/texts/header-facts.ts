import { showDecimal, showNumber } from './numbers.ts'
import { translated } from './translated.ts'

/** The facts at the top of a run's page. */
export const headerFactTexts = translated(
  {
    options: 'options',
    hub: 'from a hub',
    rows: 'rows',
    tokens: 'tokens',
    tokensText: (prompt: number, reply: number) => `${showNumber(prompt)} prompt, ${showNumber(reply)} generated`,
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
    tokensText: (prompt, reply) => `提示词 ${showNumber(prompt)}，生成 ${showNumber(reply)}`,
    cost: '费用',
    time: '用时',
    timeText: (seconds, rate) => `${showDecimal(seconds, 1)} 秒，每秒 ${showDecimal(rate, 1)} 行`,
    cut: '达到 token 上限',
    cutText: (rows, share) => `${showNumber(rows)}（${showDecimal(share, 1)}%）`,
  },
)
