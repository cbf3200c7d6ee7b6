import { translated } from './translated.ts'

/** Texts of exported pages. */
export const reportTexts = translated(
  {
    exported: (date: string) => `Exported on ${date}.`,
    oneFile: 'This is a single-file report without the lab and the embedded model; `rolecall view` has them.',
    notInReport: 'single-file reports do not include this',
    notInReportFix: 'use `rolecall view`, or export to a folder',
  },
  {
    exported: (date) => `导出于 ${date}。`,
    oneFile: '这是单文件报告：不包含实验台和内置模型，它们在 `rolecall view` 里。',
    notInReport: '单文件报告里没有这部分内容',
    notInReportFix: '请用 `rolecall view` 查看，或导出为文件夹',
  },
)
