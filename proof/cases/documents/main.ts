import { folderWith, removeFolders } from '../../testing/folder-with.ts'
import { statements } from './statements.ts'
import { filesOf } from './surfaces.ts'
import { showTable, type Tried, tryStatement } from './try-statements.ts'

// `npm run proof -- documents`: what holds of the documents' snippets, on every surface and in every language.

const tried: Tried[] = []
for (const statement of statements) tried.push(...(await tryStatement(statement, folderWith(filesOf(statement)))))
removeFolders()
const words = tried.flatMap(({ holds }) => Object.values(holds))
const failed = words.filter((word) => word.startsWith('FAILS')).length
console.log(`${showTable(tried)}\n\n${words.length} tries: ${words.length - failed} as expected, ${failed} not`)
process.exitCode = failed === 0 ? 0 : 1
