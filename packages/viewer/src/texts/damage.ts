import type { Damage } from 'rolecall/internal/server/viewer/viewer-data'
import { counted, showNumber } from './numbers.ts'
import { translated } from './translated.ts'

type RowDamage = Omit<Extract<Damage, { kind: 'rows' }>, 'kind' | 'pair'>

/** What is wrong with the files of a run. */
export const damageTexts = translated(
  {
    title: 'Files of this run are damaged.',
    titleOf: (run: string) => `Files of the run ${run} are damaged.`,
    computed: 'Scores and counts are those of the rows that are left.',
    leftOut: 'Groups and comparisons need all rows and are not shown. `rolecall run -r` answers the missing rows again.',
    file: (file: string) => `${file} is not valid JSON; its content is not shown`,
    rows: (pair: string, { missing, unreadable, of }: RowDamage) =>
      `${pair}: ${[
        ...(missing > 0
          ? [
              `${showNumber(missing)}${of === undefined ? '' : ` of ${showNumber(of)}`} ${missing === 1 && of === undefined ? 'row is' : 'rows are'} missing`,
            ]
          : []),
        ...(unreadable > 0 ? [`${counted(unreadable, 'line', 'lines')} cannot be read`] : []),
      ].join(', ')}`,
    summary: (missing: number, unreadable: number, files: readonly string[]) =>
      [
        ...(missing > 0 ? [`${counted(missing, 'row', 'rows')} missing`] : []),
        ...(unreadable > 0 ? [`${counted(unreadable, 'unreadable line', 'unreadable lines')}`] : []),
        ...files.map((file) => `${file} unreadable`),
      ].join(', '),
  },
  {
    title: '这次运行的文件已损坏。',
    titleOf: (run) => `运行 ${run} 的文件已损坏。`,
    computed: '得分和计数只按剩余的数据行计算。',
    leftOut: '分组和比较需要全部数据行，未显示。`rolecall run -r` 会重新回答缺失的数据行。',
    file: (file) => `${file} 不是有效的 JSON，其内容未显示`,
    rows: (pair, { missing, unreadable, of }) =>
      `${pair}：${[
        ...(missing > 0 ? [`${of === undefined ? '' : `${showNumber(of)} 行中`}缺少 ${showNumber(missing)} 行`] : []),
        ...(unreadable > 0 ? [`${showNumber(unreadable)} 行文本无法读取`] : []),
      ].join('，')}`,
    summary: (missing, unreadable, files) =>
      [
        ...(missing > 0 ? [`缺少 ${showNumber(missing)} 行`] : []),
        ...(unreadable > 0 ? [`${showNumber(unreadable)} 行文本无法读取`] : []),
        ...files.map((file) => `${file} 无法读取`),
      ].join('，'),
  },
)
