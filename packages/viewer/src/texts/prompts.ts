import type { ComponentChildren } from 'preact'
import { showNumber } from './numbers.ts'
import { translated } from './translated.ts'

/** The page of a config's prompts. */
export const promptsTexts = translated(
  {
    about: 'The exact prompt of every row, for every model.',
    before: 'previous row',
    next: 'next row',
    row: (number: number) => `row ${showNumber(number)}`,
    rowOf: (place: number, count: number) => `row ${showNumber(place)} of ${showNumber(count)}`,
    numberHint: 'its number on the command line, where rows are counted from 0',
    noModels: 'The config has no models.',
    noDatasets: 'The config has no datasets: this is the bare format.',
    generative: 'generative',
    complete: 'complete',
    isExample: (command: ComponentChildren): ComponentChildren => ['This is the shipped example: ', command, ' creates your own config.'],
  },
  {
    about: '每一行数据发给每个模型的提示词，与实际发送的逐字节一致。',
    before: '上一行',
    next: '下一行',
    row: (number) => `第 ${showNumber(number)} 行`,
    rowOf: (place, count) => `第 ${showNumber(place)} 行，共 ${showNumber(count)} 行`,
    numberHint: '在命令行里的编号，从 0 开始',
    noModels: '配置里没有模型。',
    noDatasets: '配置里没有数据集：这里显示的是格式本身。',
    generative: '生成用',
    complete: '完整',
    isExample: (command) => ['这是内置示例：用 ', command, ' 可以生成自己的配置。'],
  },
)
