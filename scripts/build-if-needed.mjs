// npm runs `prepare` after `npm ci` and again for the first `npx rolecall` in a clone: skips the build if it is up to date.
import { execSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = ['src', 'viewer', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']
// One output of each build step; the viewer is the last.
const built = ['dist/index.js', 'dist/bundle/app/cli/main.js', 'dist/viewer/index.html']

const changed = Math.max(...sources.flatMap(filesIn).map(timeOf))
const oldest = Math.min(...built.map((path) => timeOf(root + path)))
if (oldest > changed) console.log('dist is up to date')
else execSync('npm run build', { cwd: root, stdio: 'inherit' })

/** Includes folders: removing a file changes only its folder. */
function filesIn(path) {
  const whole = root + path
  if (!statSync(whole).isDirectory()) return [whole]
  return [whole, ...readdirSync(whole, { recursive: true }).map((inside) => `${whole}/${inside}`)]
}

function timeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
