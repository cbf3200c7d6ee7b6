import { words } from './words.ts'

/** What exported pages say of themselves. */
export const reportWords = words(
  {
    exported: (date: string) => `Exported on ${date}.`,
    oneFile: 'This is a report in one file: the playground and the embedded model are not part of it; `rolecall view` has them.',
    notInReport: 'this is not part of a report in one file',
    notInReportFix: 'look at it with `rolecall view`, or export a folder',
  },
  {
    exported: (date) => `导出于 ${date}。`,
    oneFile: '这是单文件报告：不包含演练场和内置模型，它们在 `rolecall view` 里。',
    notInReport: '单文件报告里没有这部分内容',
    notInReportFix: '请用 `rolecall view` 查看，或导出为文件夹',
  },
)
