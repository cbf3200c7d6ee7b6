// Builds what is out of date: `prepare`, which npm runs after `npm ci` and again for the first `npx rolecall` in a clone, builds the
// command line, and the first `rolecall view` in a clone builds the viewer (with `viewer` as argument). `npm run build` builds everything.
import { execSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const shared = ['src', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json']
const parts = {
  cli: { script: 'build:cli', sources: shared, built: ['packages/rolecall/dist/bundle/app/cli/main.js'] },
  viewer: { script: 'build:viewer', sources: [...shared, 'viewer'], built: ['packages/rolecall/dist/viewer/index.html', 'packages/rolecall/dist/viewer/report/report.js'] },
  // A package that npm installs from git is packed after `prepare`, without `prepack`.
  all: {
    script: 'build',
    sources: [...shared, 'viewer'],
    built: ['packages/rolecall/dist/index.d.ts', 'packages/rolecall/dist/bundle/app/cli/main.js', 'packages/rolecall/dist/viewer/report/report.js'],
  },
}

const [, , name = process.env._PACOTE_NO_PREPARE_ === undefined ? 'cli' : 'all'] = process.argv
const { script, sources, built } = parts[name]
if (Math.min(...built.map((path) => timeOf(root + path))) <= Math.max(...sources.flatMap(filesIn).map(timeOf))) {
  if (name === 'viewer') console.error('building the viewer, as this clone has none for its sources yet…')
  // Programs read the output of `rolecall view`.
  execSync(`npm run -s ${script}`, { cwd: root, stdio: ['ignore', 2, 2] })
}

/** Includes folders: removing a file changes only its folder. */
function filesIn(path) {
  const whole = root + path
  if (!statSync(whole).isDirectory()) return [whole]
  return [whole, ...readdirSync(whole, { recursive: true }).map((inside) => `${whole}/${inside}`)]
}

function timeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
