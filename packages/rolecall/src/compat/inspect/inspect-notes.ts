import type { NoteTable } from '@rolecall/core/internal/errors'

/** Notes on tasks of Inspect. */
export const inspectNotes = {
  'inspect-ignored': { severity: 'warning', en: 'a setting of the task is ignored', zh: '任务的该设置被忽略' },
  'inspect-math': {
    severity: 'note',
    en: 'formulas are compared by another parser than in Inspect',
    zh: '公式比较所用的解析器与 Inspect 不同',
  },
  'inspect-shuffle': { severity: 'note', en: 'choices are shuffled once, with a fixed seed', zh: '选项按固定种子打乱一次' },
} as const satisfies NoteTable

type InspectNotes = typeof inspectNotes

declare module '@rolecall/core/internal/errors' {
  interface NotesAbove extends InspectNotes {}
}
