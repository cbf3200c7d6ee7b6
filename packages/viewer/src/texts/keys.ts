import { translated } from './translated.ts'

type KeyLine = readonly [keys: readonly string[], does: string]

const english: readonly KeyLine[] = [
  [['j', 'k'], 'next row, previous row'],
  [['[', ']'], 'previous model, next model'],
  [['←', '→'], 'in a prompt: previous piece, next piece'],
  [['w'], 'show whitespace'],
  [['t', 'i'], 'show tokens, and their ids'],
  [['m'], 'show which tokens a model would be trained on'],
  [['1', '2', '3'], 'review the open row: right, wrong, unclear'],
  [['s', 'n'], 'star the open row, write a note on it'],
  [['g', 'd', 'c', 'x'], 'in the grid: go to a row, height of rows, charts, exclude the open row'],
  [['/'], 'search runs, or the rows of a run'],
  [['Enter'], 'move from the list to the selected row'],
  [['Esc'], 'close a row'],
  [['?'], 'this list'],
]

const chinese: readonly KeyLine[] = [
  [['j', 'k'], '下一行，上一行'],
  [['[', ']'], '上一个模型，下一个模型'],
  [['←', '→'], '在提示词里：上一段，下一段'],
  [['w'], '显示空白符'],
  [['t', 'i'], '显示 token 及其 id'],
  [['m'], '显示哪些 token 会参与训练'],
  [['1', '2', '3'], '复核打开的行：正确、错误、不确定'],
  [['s', 'n'], '给打开的行加星标、写备注'],
  [['g', 'd', 'c', 'x'], '在数据表中：跳到某行，行高，图表，排除打开的行'],
  [['/'], '搜索运行，或运行的数据行'],
  [['Enter'], '从列表进入选中的行'],
  [['Esc'], '关闭一行'],
  [['?'], '显示这些快捷键'],
]

/** Keyboard shortcuts. */
export const keyTexts = translated(
  { title: 'Keyboard shortcuts', close: 'close', keys: english },
  { title: '键盘快捷键', close: '关闭', keys: chinese },
)
