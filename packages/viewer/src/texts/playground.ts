import { translated } from './translated.ts'

/** The playground. */
export const playgroundTexts = translated(
  {
    about: 'Write a row, a template and a format; the prompt updates as you type.',
    startFrom: 'start from',
    anExample: 'an example from the documents…',
    writeIn: 'write the model in…',
    asDataset: 'as the dataset sets it',
    copyConfig: 'copy as config',
    asYaml: 'as YAML',
    asJson: 'as JSON',
    line: (number: number) => `line ${number}`,
    damaged: 'The link is damaged: this is the first example, not what was shared.',
    mend: 'The prompt is shown once the errors are fixed.',
    objectNeeded: 'an object with keys and values is required here',
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
    objectNeeded: '这里需要一个由键和值组成的对象',
  },
)
