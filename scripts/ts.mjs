// Runs a TypeScript file: `node scripts/ts.mjs FILE [arguments]`. Imports of our packages go to their sources, as in vitest and tsc.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createJiti } from 'jiti'
import { sourceFiles } from './source-files.mjs'

const [node, , file, ...args] = process.argv
const path = resolve(file)
process.argv = [node, path, ...args]
await createJiti(import.meta.url, { alias: sourceFiles() }).import(pathToFileURL(path).href)
