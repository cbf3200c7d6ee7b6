import { entriesOf } from './bundle.ts'

export { needsNode } from './bundle.ts'

/** The public entry points of `rolecall` and their files in its `src`, without extension. */
export const entryPoints: Readonly<Record<string, string>> = pointsOf('rolecall', 'rolecall')

/** The public entry points of `@rolecall/adapters`. */
export const adapterEntryPoints = pointsOf('adapters', '@rolecall/adapters')

/** The public entry points of `@rolecall/core`. */
export const coreEntryPoints = pointsOf('core', '@rolecall/core')

function pointsOf(folder: string, name: string): Record<string, string> {
  const files = entriesOf(folder).filter((file) => !file.startsWith('internal/'))
  return Object.fromEntries(files.map((file) => [file === 'index' ? name : `${name}/${file}`, file]))
}
