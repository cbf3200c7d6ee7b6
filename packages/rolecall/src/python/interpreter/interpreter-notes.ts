import type { NoteTable } from '@rolecall/core/internal/errors'

/** Notes on Python configs that were interpreted. */
export const interpreterNotes = {
  assumed: { severity: 'warning', en: 'a value was assumed', zh: '采用了假定的值' },
  'missing-import': { severity: 'note', en: 'a module that only summarizes results was not imported', zh: '未导入只用于汇总结果的模块' },
  'not-run': { severity: 'note', en: 'a statement outside the config was not run', zh: '不属于配置的语句未执行' },
  skipped: { severity: 'warning', en: 'a statement or an entry could not be read and was left out', zh: '无法读取的语句或条目被省略' },
  slip: {
    severity: 'warning',
    en: 'a syntax error that Python would refuse was read as meant',
    zh: '按原意读取了 Python 会拒绝的语法错误',
  },
  'star-import': { severity: 'warning', en: 'the names that a star import gives are unknown', zh: '无法得知 import * 引入的名称' },
  'unknown-name': { severity: 'warning', en: 'a name without a value stays as it is written', zh: '没有值的名称保持原样' },
} as const satisfies NoteTable

type InterpreterNotes = typeof interpreterNotes

declare module '@rolecall/core/internal/errors' {
  interface NotesAbove extends InterpreterNotes {}
}
