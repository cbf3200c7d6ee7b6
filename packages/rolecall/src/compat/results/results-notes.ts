import type { NoteTable } from '@rolecall/core/internal/errors'

/** Notes on results of other programs. */
export const resultsNotes = {
  columns: { severity: 'note', en: 'which columns were read', zh: '读取的列' },
  'no-details': { severity: 'warning', en: 'the results have no scores of rows', zh: '结果中没有各行的得分' },
  'no-results': { severity: 'warning', en: 'the file with the results is missing, so settings are unknown', zh: '缺少结果文件，设置未知' },
  'no-samples': { severity: 'warning', en: 'the results have no samples', zh: '结果中没有样本' },
  'no-settings': { severity: 'warning', en: 'the settings are unknown', zh: '设置未知' },
  'other-version': { severity: 'note', en: 'the format has a version that was not tried', zh: '格式版本与已测试的版本不同' },
  unfinished: { severity: 'warning', en: 'the run did not finish', zh: '运行没有完成' },
} as const satisfies NoteTable

type ResultsNotes = typeof resultsNotes

declare module '@rolecall/core/internal/errors' {
  interface NotesAbove extends ResultsNotes {}
}
