import { createRequire } from 'node:module'
import { codeFile } from './own-files.ts'

/** Code for a thread that imports one of our scripts, by its path in `src` without extension; from source, through jiti. */
export function importScript(path: string): string {
  const script = codeFile(path).href
  const url = JSON.stringify(script)
  const jiti = () => JSON.stringify(createRequire(import.meta.url).resolve('jiti'))
  return script.endsWith('.ts') ? `require(${jiti()}).createJiti(${url}).import(${url})` : `import(${url})`
}
