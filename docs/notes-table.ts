import type { NoteTable } from '../packages/core/src/base/errors/note-table.ts'
import { noteTables } from '../packages/rolecall/src/node/notes/all-notes.ts'

const heads = { en: '| code | severity | what it says |', zh: '| 代码 | 级别 | 含义 |' }

/** All notes, a section for each table; those that servers report to their clients are marked. */
export function notesTable(language: 'en' | 'zh'): string {
  const sections = noteTables.map(({ about, zh, rows }) => {
    const lines = Object.entries<NoteTable[string]>(rows).map(
      ([code, row]) => `| \`${code}\` | ${row.severity}${row.isLoss ? ' †' : ''} | ${row[language]} |`,
    )
    const title = language === 'zh' ? zh : `Notes on ${about}`
    return `### ${title}\n\n${[heads[language], '| --- | --- | --- |', ...lines].join('\n')}`
  })
  return sections.join('\n\n')
}
