import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The folder of OpenCompass's source: `OPENCOMPASS_DIR`, or `../shared/opencompass` unpacked; undefined if there is neither. */
export function checkoutFolder(shared: string): string | undefined {
  const own = process.env.OPENCOMPASS_DIR
  if (own) return own
  if (!existsSync(shared)) return undefined
  const folder = join(tmpdir(), 'rolecall-opencompass-0.5.3')
  if (!existsSync(join(folder, 'opencompass', 'registry.py'))) {
    mkdirSync(folder, { recursive: true })
    for (const archive of readdirSync(shared).filter((name) => name.endsWith('.tar.gz')))
      execFileSync('tar', ['xzf', join(shared, archive), '-C', folder], { timeout: 60_000 })
  }
  return folder
}

/** The text of a file of the checkout. */
export function readCode(root: string, path: string): string | undefined {
  const file = join(root, path)
  return existsSync(file) && statSync(file).isFile() ? readFileSync(file, 'utf8') : undefined
}

/** The Python files of the folders in which OpenCompass registers classes and functions. */
export function* codeFiles(root: string, folder = 'opencompass'): Iterable<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory() && entry.name !== 'configs') yield* codeFiles(root, path)
    else if (entry.name.endsWith('.py')) yield path
  }
}
