import { words } from './words.ts'

/** The page that compares prompts. */
export const sideWords = words(
  {
    about: 'The same row in several formats, turn by turn.',
    nothingToCompare: 'The config has no models or datasets to compare.',
    row: 'row',
    label: 'label',
    nothingHere: 'nothing here',
    left: 'left: model',
    right: 'right: model',
  },
  {
    about: '同一行数据在几种格式下的提示词，逐轮对照。',
    nothingToCompare: '配置里没有可以比较的模型或数据集。',
    row: '行',
    label: '标签',
    nothingHere: '这里没有内容',
    left: '左：模型',
    right: '右：模型',
  },
)
