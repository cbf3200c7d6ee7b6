import { join } from 'node:path'
import type { ChunkingContext } from 'rolldown'

/** Parts of the root that programs load separately; other subpaths need most of it anyway. */
const alone = ['scores']

/**
 * The chunk of a module that `rolecall` loads: modules needed by the same parts share a chunk. By default, the bundler creates a chunk for
 * each set of commands that share modules, almost a hundred, which makes loading `rolecall` 50 % slower. Undefined for modules that only
 * commands need.
 */
export function libraryChunks(source: string): (id: string, context: ChunkingContext) => string | undefined {
  let chunkOf: Map<string, string> | undefined
  return (id, context) => {
    chunkOf ??= assign(source, context)
    return chunkOf.get(id)
  }
}

function assign(source: string, context: ChunkingContext): Map<string, string> {
  const needed = (entry: string) => loadedBy(join(source, `${entry}.ts`), context)
  // `--version` loads nothing else.
  const first = needed('cli/main')
  const parts = alone.map((entry) => ({ name: entry, modules: needed(entry) }))
  const chunkOf = (id: string) => parts.flatMap(({ name, modules }) => (modules.has(id) ? [name] : [])).join('-') || 'rest'
  return new Map([...needed('index')].filter((id) => !first.has(id)).map((id) => [id, `library-${chunkOf(id)}`]))
}

/** The modules loaded together with a module, without dynamic imports. */
function loadedBy(entry: string, context: ChunkingContext): Set<string> {
  const found = new Set<string>()
  const open = [entry]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id) || id.startsWith('node:')) continue
    found.add(id)
    open.push(...(context.getModuleInfo(id)?.importedIds ?? []))
  }
  return found
}
