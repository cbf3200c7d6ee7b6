import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'vitest'
import { triesAll } from './sampling.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const passed = join(root, 'node_modules/.cache/rolecall-passed')

/** The code that the programs on our pages and in `examples/` depend on. */
const code = [
  ...['src', 'quickstart', 'embedded-model', 'schema'].map((folder) => `packages/rolecall/${folder}`),
  ...['packages/core/src', 'docs', 'proof/testing', 'examples'],
]

type Subject = { name: string; text: string }

/**
 * A test for each subject. A subject that passed before is skipped if neither it nor our code nor the packages have changed since. In CI all
 * of them run.
 */
export function testWhatChanged<Given extends Subject>(
  subjects: readonly Given[],
  run: (subject: Given) => Promise<void>,
  timeout?: number,
) {
  const sources = hashOf(code.flatMap((folder) => sourcesIn(folder)))
  const skipped: string[] = []
  for (const subject of subjects) {
    const marker = join(passed, hashOf([sources, subject.name, subject.text]))
    if (!triesAll && existsSync(marker)) {
      skipped.push(subject.name)
      test.skip(`${subject.name} (unchanged since it passed)`)
      continue
    }
    test(
      subject.name,
      async () => {
        await run(subject)
        mkdirSync(passed, { recursive: true })
        writeFileSync(marker, '')
      },
      timeout,
    )
  }
  // The reporter hides the names of skipped tests.
  if (skipped.length > 0)
    console.warn(`skipped, because neither they nor the code changed since they passed (CI=true runs them): ${skipped.join(', ')}`)
}

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(md|svg|png|test\.ts)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .flatMap((path) => [path, readFileSync(path, 'latin1')])
}

function hashOf(parts: readonly string[]): string {
  const hash = createHash('sha256')
    .update(process.version)
    .update(readFileSync(join(root, 'package-lock.json')))
  for (const part of parts) hash.update(`${part.length}:`).update(part)
  return hash.digest('hex')
}
