import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import { makeFolder } from '../../node/runs/disk-error.ts'
import { embeddedFiles } from './viewer-files.ts'

/** The target of an export: a folder or a single file. Paths are relative to `data/`. */
export type SiteSink = {
  add(path: string, content: string | Uint8Array): void
  /** Completes the export; `bytes` for a single file, `leftOut` for omitted files. */
  finish(): { path: string; bytes?: number; leftOut: readonly string[] }
}

/** A site as files, for any file server and base URL. */
export class SiteFolder implements SiteSink {
  readonly #folder: string

  constructor(target: string, viewer: string) {
    this.#folder = resolve(target)
    refuseOtherFolders(this.#folder)
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

/** Overwrites only exported sites, never other folders. */
function refuseOtherFolders(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).length === 0 || existsSync(join(folder, 'data', 'site.json'))) return
  throw new PromptError('not-empty', { where: folder, problem: 'the folder contains other files', fix: 'choose a new folder' })
}
