import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const packages = ['core', 'rolecall', 'adapters']

/**
 * The entry points of our packages and their sources, from the condition `rolecall-source` in `exports`: for jiti, which knows no conditions
 * but Node's own.
 * @returns {Record<string, string>}
 */
export function sourceFiles() {
  return Object.assign({}, ...packages.map(filesOf))
}

/** @param {string} folder */
function filesOf(folder) {
  const root = new URL(`../packages/${folder}/`, import.meta.url)
  const { name, exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
  const files = Object.entries(exports).flatMap(([entry, target]) => {
    const source = typeof target === 'string' ? target : target['rolecall-source']
    if (!source) return []
    // Of a pattern, jiti replaces the part before the star.
    const [from, to] = [entry, source].map((path) => path.replace(/\/\*(?:\.ts)?$/, ''))
    return [[name + from.slice(1), fileURLToPath(new URL(to, root))]]
  })
  return Object.fromEntries(files)
}
