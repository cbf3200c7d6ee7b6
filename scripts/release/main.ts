import { fileURLToPath } from 'node:url'
import { NotReady, release } from './release.ts'

// `npm run release -- 0.2.0 [--dry-run]`
const given = process.argv.slice(2)
const [version] = given.filter((word) => !word.startsWith('-'))
const say = (text: string) => process.stdout.write(`${text}\n`)
if (version === undefined) {
  process.stderr.write('npm run release -- VERSION [--dry-run]\n')
  process.exit(2)
}
try {
  const folder = fileURLToPath(new URL('../..', import.meta.url))
  release({ version, folder, date: new Date().toISOString().slice(0, 10), isDry: given.includes('--dry-run'), say })
} catch (error) {
  if (!(error instanceof NotReady)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}
