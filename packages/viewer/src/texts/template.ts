import { translated } from './translated.ts'

/** A chat template beside its prompt. */
export const templateTexts = translated(
  {
    source: "the chat template's source",
    lint: 'lint the template',
    findings: 'lint findings',
    nothingFound: 'lint finds nothing.',
    line: (number: number) => `line ${number}:`,
  },
  {
    source: '对话模板的源码',
    lint: '检查模板',
    findings: '检查结果',
    nothingFound: '没有发现问题。',
    line: (number) => `第 ${number} 行：`,
  },
)
