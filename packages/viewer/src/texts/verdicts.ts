import type { Outcome } from 'rolecall/internal/evaluation/run/record/outcome'
import type { RowVerdict } from 'rolecall/internal/server/viewer/rows/row-verdict'
import { translated } from './translated.ts'

type VerdictTexts = {
  verdicts: Record<RowVerdict, string>
  outcomes: Record<Outcome, string>
  lowerIsBetter: string
}

/** Verdicts and outcomes of rows. */
export const verdictTexts = translated<VerdictTexts>(
  {
    verdicts: {
      right: 'right',
      wrong: 'wrong',
      unread: 'unparsed',
      'not-decided': 'not decided',
      failed: 'failed',
      scored: 'scored',
      none: 'no score',
    },
    outcomes: {
      answered: 'answered',
      'not-found': 'not found',
      cut: 'cut',
      refused: 'refused',
      empty: 'empty',
      'tool-call': 'tool call',
      'no-gold': 'no gold answer',
      'not-decided': 'not decided',
      failed: 'failed',
    },
    lowerIsBetter: 'lower is better',
  },
  {
    verdicts: {
      right: '正确',
      wrong: '错误',
      unread: '未解析',
      'not-decided': '未能判定',
      failed: '失败',
      scored: '有得分',
      none: '没有得分',
    },
    outcomes: {
      answered: '已回答',
      'not-found': '未提取到答案',
      cut: '被截断',
      refused: '拒绝回答',
      empty: '空回答',
      'tool-call': '工具调用',
      'no-gold': '没有参考答案',
      'not-decided': '未能判定',
      failed: '失败',
    },
    lowerIsBetter: '越低越好',
  },
)
