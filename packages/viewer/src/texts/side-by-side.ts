import type { ColumnName } from '../side/columns.ts'
import { showNumber } from './numbers.ts'
import { translated } from './translated.ts'

const models: Record<ColumnName, string> = { left: 'left: model', right: 'right: model', third: 'third: model', fourth: 'fourth: model' }

/** The page that compares prompts side by side. */
export const sideTexts = translated(
  {
    about: 'The same row in several formats, turn by turn.',
    nothingToCompare: 'The config has no models or datasets to compare.',
    row: 'row',
    label: 'label',
    nothingHere: 'nothing here',
    model: models,
    add: 'add a column',
    remove: (model: string) => `remove the column of ${model}`,
    identical: 'identical, byte for byte and token for token',
    identicalBytes: 'identical, byte for byte',
    identicalBytesOnly: (tokens: readonly number[]) =>
      `identical, byte for byte, but not token for token: ${tokens.map(showNumber).join(' and ')} tokens`,
    identicalMessages: 'identical messages, byte for byte',
    hatched: 'Hatched: not in all of the other prompts.',
    pointAt: 'Hover over a piece of a prompt to see who wrote it, and where the others have it.',
    sources: (model: string) => `sources of the prompt of ${model}`,
  },
  {
    about: '同一行数据在几种格式下的提示词，逐轮对照。',
    nothingToCompare: '配置里没有可以比较的模型或数据集。',
    row: '行',
    label: '标签',
    nothingHere: '这里没有内容',
    model: { left: '左：模型', right: '右：模型', third: '第三：模型', fourth: '第四：模型' },
    add: '添加一列',
    remove: (model) => `移除 ${model} 这一列`,
    identical: '完全相同：逐字节相同，逐 token 相同',
    identicalBytes: '逐字节相同',
    identicalBytesOnly: (tokens) => `逐字节相同，但 token 不同：分别为 ${tokens.map(showNumber).join('、')} 个 token`,
    identicalMessages: '消息逐字节相同',
    hatched: '斜纹部分并非其他各列都有。',
    pointAt: '把鼠标指向一段文本，即可看到它由谁写成，以及它在其他各列的位置。',
    sources: (model) => `${model} 的提示词来源`,
  },
)
