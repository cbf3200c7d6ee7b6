import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { makeFolder } from '../../node/runs/disk-error.ts'
import { embeddedFiles } from './viewer-files.ts'

/** Where an exported site goes: a folder, or one file. Paths are those that the page asks for below `data/`. */
export type SiteSink = {
  add(path: string, content: string | Uint8Array): void
  /** Ends it; says where it lies, how many bytes it has where it is one file, and what was left out of it. */
  finish(): { path: string; bytes?: number; leftOut: readonly string[] }
}

/** A site as files: the same pages, from any file server and below any address. */
export class SiteFolder implements SiteSink {
  readonly #folder: string

  constructor(target: string, viewer: string) {
    this.#folder = resolve(target)
    refuseOthers(this.#folder)
    cpSync(viewer, this.#folder, { recursive: true, filter: (from) => from !== join(viewer, 'report') })
    for (const [name, from] of embeddedFiles()) this.#write(name, readFileSync(from))
  }

  add(path: string, content: string | Uint8Array): void {
    this.#write(join('data', path), content)
  }

  finish() {
    return { path: this.#folder, leftOut: [] }
  }

  #write(path: string, content: string | Uint8Array): void {
    const file = join(this.#folder, path)
    makeFolder(dirname(resolve(file)))
    writeFileSync(file, content)
  }
}

/** A site is written into a new folder or over an older one, never among other files. */
function refuseOthers(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).length === 0 || existsSync(join(folder, 'data', 'site.json'))) return
  throw new PromptError('not-empty', { where: folder, problem: 'the folder has other files in it', fix: 'name a new folder' })
}
