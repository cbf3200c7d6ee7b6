import { describe, expect, test } from 'vitest'
import { folderWith } from '../../testing/folder-with.ts'
import { statements } from './statements.ts'
import { filesOf } from './surfaces.ts'
import { tryStatement } from './try-statements.ts'

// Commands are tried in one language each; `npm run proof -- documents` tries all, and prints a table.

describe('a snippet of a document works in every language and on every surface, or says what is missing', () => {
  test.each(statements)('$document: $name', async (statement) => {
    const files = filesOf(statement)
    const names = Object.keys(files)
    const tried = await tryStatement(statement, folderWith(files), names[statements.indexOf(statement) % names.length])
    const failed = tried.flatMap(({ file, holds }) =>
      Object.entries(holds).flatMap(([surface, word]) => (word.startsWith('FAILS') ? [`${file} › ${surface}: ${word}`] : [])),
    )
    expect(failed).toEqual([])
    // What is refused is refused everywhere: no surface goes on with half of it.
    if (statement.refused !== undefined)
      expect(
        tried.flatMap(({ holds }) =>
          Object.entries(holds).filter(([surface, word]) => word === 'works' && !statement.works?.includes(surface)),
        ),
      ).toEqual([])
  })
})
