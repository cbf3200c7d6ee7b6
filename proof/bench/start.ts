import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildBenches } from './build.ts'

// `npm run bench [-- NAME…]`: compiles the benches, then measures.
const main = await buildBenches(fileURLToPath(new URL('../../.bench', import.meta.url)))
const [program, args] =
  process.argv[2] === 'million' ? [join(main, '../million-rows.js'), process.argv.slice(3)] : [main, process.argv.slice(2)]
process.exitCode = spawnSync(process.execPath, [program, ...args], { stdio: 'inherit' }).status ?? 1
