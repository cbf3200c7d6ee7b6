import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { buildIfNeeded } from '../../scripts/build-if-needed.mjs'

// Every file and kilobyte costs start-up time: this limits what each subpath loads eagerly from Node's bundle.

const packages = new URL('../../packages/', import.meta.url)
const builtFile = (name: string, entry: string) => new URL(`${name}/dist/js/${entry}.js`, packages)

/** Where an import of Node's bundle leads, in either of our packages. */
function resolved(path: string, from: URL): URL {
  const [, entry] = /^@rolecall\/core(?:\/(.+))?$/.exec(path) ?? []
  return path.startsWith('.') ? new URL(path, from) : builtFile('core', entry ?? 'index')
}

function loadedBy(name: string, entry: string): { files: number; kilobytes: number } {
  const sizes = new Map<string, number>()
  const open = [builtFile(name, entry)]
  for (let url = open.pop(); url !== undefined; url = open.pop()) {
    if (sizes.has(url.href)) continue
    const code = readFileSync(url, 'utf8')
    sizes.set(url.href, code.length)
    for (const [, path] of code.matchAll(/\b(?:(?:im|ex)port[\s{*][^;"]*?from|import)\s*"((?:\.|@rolecall\/core)[^"]*)"/g))
      open.push(resolved(path!, url))
  }
  return { files: sizes.size, kilobytes: [...sizes.values()].reduce((sum, size) => sum + size, 0) / 1000 }
}

test.each([
  { name: 'core', entry: 'index', files: 8, kilobytes: 728 },
  { name: 'core', entry: 'jinja', files: 5, kilobytes: 240 },
  { name: 'core', entry: 'formats', files: 11, kilobytes: 823 },
  { name: 'core', entry: 'replies', files: 8, kilobytes: 728 },
  { name: 'core', entry: 'tokenizers', files: 7, kilobytes: 190 },
  { name: 'rolecall', entry: 'index', files: 31, kilobytes: 1495 },
  { name: 'rolecall', entry: 'jinja', files: 6, kilobytes: 240 },
  { name: 'rolecall', entry: 'scores', files: 30, kilobytes: 1100 },
  { name: 'rolecall', entry: 'tokenizers', files: 8, kilobytes: 190 },
  { name: 'rolecall', entry: 'cli/main', files: 3, kilobytes: 10 },
])('$entry of $name loads no more than $files files and $kilobytes kB', ({ name, entry, files, kilobytes }) => {
  const loaded = loadedBy(name, entry)
  // An entry point alone would mean that its imports are no longer recognized.
  expect(loaded.files).toBeGreaterThan(1)
  expect(loaded.files).toBeLessThanOrEqual(files)
  expect(loaded.kilobytes).toBeLessThan(kilobytes)
})

/** The built files of a folder of both packages. */
function builtFiles(folder: string, ending: string): { path: string; text: string }[] {
  return ['core', 'rolecall'].flatMap((name) => {
    const root = new URL(`${name}/dist/${folder}/`, packages)
    const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith(ending))
    return paths.map((path) => ({ path: `${name}/${path}`, text: readFileSync(new URL(path, root), 'utf8') }))
  })
}

test('no file names a folder in a way that Next.js takes for a file to bundle', () => {
  const files = builtFiles('js', '.js')
  expect(files.some(({ text }) => text.includes('import.meta.url'))).toBe(true)
  const found = files.filter(({ text }) => {
    const names = [...text.matchAll(/\b([\w$]+)=import\.meta\.url\b/g)].map(([, name = '']) => name.replaceAll('$', '\\$'))
    return new RegExp(`new URL\\((?:"[^"]*"|'[^']*'|\`[^\`]*\`),(?:${['import\\.meta\\.url', ...names].join('|')})\\)`).test(text)
  })
  expect(found.map(({ path }) => path)).toEqual([])
})

test('declarations need no types of Node, which programs without @types/node lack', async () => {
  await buildIfNeeded(['types'])
  const found = builtFiles('types', '.d.ts').filter(({ text }) =>
    /from 'node:|import\("(?:node:|url")|\bNodeJS\.|\bBuffer\b/.test(text.replaceAll(/\/\*[\s\S]*?\*\//g, '')),
  )
  expect(found.map(({ path }) => path)).toEqual([])
}, 120_000)
