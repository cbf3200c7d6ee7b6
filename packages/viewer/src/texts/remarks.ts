import type { Remark, RemarkKind } from 'rolecall/internal/evaluation/run/record/remarks'
import type { PairResult } from 'rolecall/internal/evaluation/run/record/run-record'
import { figureText } from '../runs/figure-text.ts'
import { counted, showNumber } from './numbers.ts'
import { translated } from './translated.ts'

type RemarkTexts = {
  title: (count: number) => string
  failedRows: (count: number) => string
  kinds: Record<RemarkKind, string>
  groups: string
  about: (remark: Remark, result: PairResult) => string
}

/** Remarks on a run's metrics. The text of notes comes from the library. */
export const remarkTexts = translated<RemarkTexts>(
  {
    title: (count) => counted(count, 'remark', 'remarks'),
    failedRows: (count) => counted(count, 'row without a score', 'rows without a score'),
    kinds: {
      baseline: 'Others are compared with these answers',
      failed: 'Rows without a score',
      'no-gold': 'Rows without a gold answer',
      cut: 'Answers truncated at the token limit',
      'wrong-calls': 'Wrong tool calls',
      'examples-dropped': 'Examples dropped to stay within max_seq_len',
      skipped: 'Bad rows skipped',
      note: 'Note:',
      cached: 'Answers from an earlier run',
      compat: 'Quirks of the reference',
    },
    groups: 'Groups without a metric',
    about: (remark, { rows, value, valueIfFailedAreWrong, unit, failed }) => {
      if (remark.kind === 'failed' && value !== undefined) {
        const wrong = valueIfFailedAreWrong === undefined ? '' : ` (${figureText(valueIfFailedAreWrong, unit)} if they count as wrong)`
        return `${showNumber(failed)} of ${counted(rows, 'row', 'rows')}; ${figureText(value, unit)} is over the others${wrong}`
      }
      return ownNumber(remark) ?? `${showNumber(remark.rows!)} of ${counted(rows, 'row', 'rows')}`
    },
  },
  {
    title: (count) => `${showNumber(count)} 条说明`,
    failedRows: (count) => `${showNumber(count)} 行没有得分`,
    kinds: {
      baseline: '其他模型的回答与这些回答比较',
      failed: '没有得分的数据行',
      'no-gold': '没有参考答案的数据行',
      cut: '达到 token 上限被截断的回答',
      'wrong-calls': '错误的工具调用',
      'examples-dropped': '为不超过 max_seq_len 而省略的示例',
      skipped: '文件中跳过的坏行',
      note: '推理备注：',
      cached: '取自之前运行的回答',
      compat: '参考实现的特殊行为',
    },
    groups: '没有指标的分组',
    about: (remark, { rows, value, valueIfFailedAreWrong, unit, failed }) => {
      if (remark.kind === 'failed' && value !== undefined) {
        const wrong = valueIfFailedAreWrong === undefined ? '' : `（若都算错误则为 ${figureText(valueIfFailedAreWrong, unit)}）`
        return `${showNumber(rows)} 行中的 ${showNumber(failed)} 行；${figureText(value, unit)} 只按其余各行计算${wrong}`
      }
      return ownNumber(remark) ?? `${showNumber(rows)} 行中的 ${showNumber(remark.rows!)} 行`
    },
  },
)

/** The number of a remark that does not count rows of the pair. */
function ownNumber({ kind, rows }: Remark): string | undefined {
  if (kind === 'examples-dropped' || kind === 'skipped') return showNumber(rows ?? 0)
  return rows === undefined ? '' : undefined
}
