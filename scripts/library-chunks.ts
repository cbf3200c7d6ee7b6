import { join } from 'node:path'
import type { ChunkingContext } from 'rolldown'

type Parts = {
  /** Entry points that programs load without the root; others need most of it anyway. */
  alone: readonly string[]
  /** An entry point that must load quickly: its modules stay out of the chunks. */
  first?: string
}

/**
 * The chunk of a module that the root of a package loads: modules needed by the same parts share a chunk. By default, the bundler creates a
 * chunk for each set of entry points that share modules, almost a hundred in `rolecall`, which makes loading `rolecall` 50 % slower and
 * `@rolecall/core` twice as slow. Undefined for modules that only other entry points need.
 */
export function libraryChunks(source: string, parts: Parts): (id: string, context: ChunkingContext) => string | undefined {
  let chunkOf: Map<string, string> | undefined
  return (id, context) => {
    chunkOf ??= assign(source, parts, context)
    return chunkOf.get(id)
  }
}

function assign(source: string, { alone, first: firstEntry }: Parts, context: ChunkingContext): Map<string, string> {
  const needed = (entry: string) => loadedBy(join(source, `${entry}.ts`), context)
  const first = firstEntry === undefined ? new Set<string>() : needed(firstEntry)
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
