import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

// Every file and kilobyte costs start-up time: this limits what each subpath loads eagerly from Node's bundle.

const built = new URL('../../packages/rolecall/dist/js/', import.meta.url)

function loadedBy(entry: string): { files: number; kilobytes: number } {
  const sizes = new Map<string, number>()
  const open = [new URL(`${entry}.js`, built)]
  for (let url = open.pop(); url !== undefined; url = open.pop()) {
    if (sizes.has(url.href)) continue
    const code = readFileSync(url, 'utf8')
    sizes.set(url.href, code.length)
    for (const [, path] of code.matchAll(/^(?:(?:im|ex)port\s[^;]*?from|import)\s*"(\.[^"]+)"/gm)) open.push(new URL(path!, url))
  }
  return { files: sizes.size, kilobytes: [...sizes.values()].reduce((sum, size) => sum + size, 0) / 1000 }
}

test.each([
  { entry: 'index', files: 20, kilobytes: 1600 },
  { entry: 'jinja', files: 8, kilobytes: 320 },
  { entry: 'formats', files: 16, kilobytes: 900 },
  { entry: 'tokenizers', files: 12, kilobytes: 200 },
  { entry: 'cli/main', files: 3, kilobytes: 10 },
])('$entry loads no more than $files files and $kilobytes kB', ({ entry, files, kilobytes }) => {
  const loaded = loadedBy(entry)
  expect(loaded.files).toBeGreaterThan(0)
  expect(loaded.files).toBeLessThanOrEqual(files)
  expect(loaded.kilobytes).toBeLessThan(kilobytes)
})
