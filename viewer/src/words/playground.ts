import { words } from './words.ts'

/** The page where row, template and format are written. */
export const playgroundWords = words(
  {
    about: 'Write a row, a template and a format; the prompt follows as you type.',
    startFrom: 'start from',
    anExample: 'an example of the documents…',
    writeIn: 'write the model in…',
    asDataset: 'what the dataset asks for',
    copyConfig: 'copy as config',
    asYaml: 'as YAML',
    asJson: 'as JSON',
    line: (number: number) => `line ${number}`,
    damaged: 'The link is damaged: this is the first example, not what was shared.',
    mend: 'The prompt follows when the mistakes are mended.',
    objectNeeded: 'an object is needed here: key and value',
  },
  {
    about: '写一行数据、一个模板和一种格式，提示词随输入更新。',
    startFrom: '从这里开始',
    anExample: '文档中的示例…',
    writeIn: '把模型换成…',
    asDataset: '由数据集决定',
    copyConfig: '复制为配置',
    asYaml: '转为 YAML',
    asJson: '转为 JSON',
    line: (number) => `第 ${number} 行`,
    damaged: '链接已损坏：这里显示的是第一个示例，不是分享的内容。',
    mend: '改正错误后就会显示提示词。',
    objectNeeded: '这里需要一个对象：键和值',
  },
)
