import { createRequire } from 'node:module'
import { ownEntries } from './own-entries.ts'
import { codeFile } from './own-files.ts'

/** Code for a thread that imports one of our scripts, by its path in `src` without extension; from source, through jiti. */
export function importScript(path: string): string {
  const script = codeFile(path).href
  const url = JSON.stringify(script)
  if (!script.endsWith('.ts')) return `import(${url})`
  const jiti = JSON.stringify(createRequire(import.meta.url).resolve('jiti'))
  return `require(${jiti}).createJiti(${url}, { alias: ${JSON.stringify(ownEntries())} }).import(${url})`
}
