import { join } from 'node:path'
import type { ChunkingContext } from 'rolldown'
import { entryPoints } from '../src/app/node/entry-points.ts'

/** Parts of the root that programs load alone; other subpaths need most of it anyway. */
const alone = ['rolecall/jinja', 'rolecall/formats', 'rolecall/replies', 'rolecall/tokenizers', 'rolecall/scores'].map(
  (name) => entryPoints[name as keyof typeof entryPoints],
)

/**
 * Which chunk a module goes to that `rolecall` loads: those that the same of its parts need are one file. Left alone, the bundler makes one
 * for each set of commands that share some modules, nearly a hundred, and loading `rolecall` takes half as long again as its code does.
 * Undefined for modules that only commands need.
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
  // The version is printed without loading anything else.
  const first = needed('app/cli/main')
  const parts = alone.map((entry) => ({ name: entry.slice(entry.lastIndexOf('/') + 1), modules: needed(entry) }))
  const chunkOf = (id: string) => parts.flatMap(({ name, modules }) => (modules.has(id) ? [name] : [])).join('-') || 'rest'
  return new Map([...needed(entryPoints.rolecall)].filter((id) => !first.has(id)).map((id) => [id, `library-${chunkOf(id)}`]))
}

/** The modules that are loaded together with one; what is imported on demand is not among them. */
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
