import { existsSync, readFileSync } from 'node:fs'
import { dirname, extname, relative, resolve } from 'node:path'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { createJiti } from 'jiti'
import { isNode, LineCounter, parseDocument } from 'yaml'
import type { PromptfooFields, PromptfooHost } from '../../compat/promptfoo/promptfoo-host.ts'
import { readPromptfoo } from '../../compat/promptfoo/read-promptfoo.ts'
import { runInThread } from '../interpreters/javascript/javascript-thread.ts'
import { slashed } from '../platform.ts'
import { expandPaths } from '../rows/expand-paths.ts'
import { readText } from './read-text.ts'

/** The config that a promptfoo config stands for. Notes and errors name the file and the line. */
export async function promptfooIn(
  written: PromptfooFields,
  file: string,
  where: string,
  { allowExec = false }: { allowExec?: boolean | undefined } = {},
): Promise<{ config: PromptfooFields; notes: Note[] }> {
  const place = placeIn(file, where)
  try {
    const { config, notes } = await readPromptfoo(written, { host: hostOf(dirname(file), allowExec), run: runInThread })
    return { config, notes: notes.map((note) => ({ ...note, ...(note.where === undefined ? {} : { where: place(note.where) }) })) }
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    throw new PromptError(error.code, { where: place(error.where), problem: error.problem, fix: error.fix })
  }
}

function hostOf(folder: string, allowExec: boolean): PromptfooHost {
  const named = (path: string) => slashed(relative(folder, path))
  return {
    allowExec,
    readText: (path) => readText(resolve(folder, path), path),
    matching: (pattern) =>
      /[*?[{]/.test(pattern) ? matching(pattern) : existsSync(resolve(folder, pattern)) ? [named(resolve(folder, pattern))] : [],
    readScript(path) {
      const source = readText(resolve(folder, path), path)
      return /\.[cm]?ts$/.test(path) ? createJiti(import.meta.url).transform({ source, ts: true, filename: path }) : source
    },
  }

  function matching(pattern: string): string[] {
    try {
      return expandPaths(pattern, folder, pattern).map(named)
    } catch (error) {
      if (error instanceof PromptError && error.code === 'no-file') return []
      throw error
    }
  }
}

/** A place in a config with the line where it stands: `promptfooconfig.yaml:12 › tests[0]`. */
function placeIn(file: string, where: string): (place: string) => string {
  let lineOf: ((place: string) => number | undefined) | undefined
  return (place) => {
    lineOf ??= linesOf(file)
    const line = lineOf(place)
    return `${where}${line === undefined ? '' : `:${line}`} › ${place}`
  }
}

function linesOf(file: string): (place: string) => number | undefined {
  if (!['.yaml', '.yml', '.json'].includes(extname(file))) return () => undefined
  const lines = new LineCounter()
  const document = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines, merge: true })
  return (place) => {
    const [path = ''] = / (?:›|with) /.test(place) ? place.split(/ (?:›|with) /) : [place]
    const inner = /\((defaultTest[^)]*)\)/.exec(path)?.[1] ?? path
    const steps = inner.split(/[.[\]]+/).filter((step) => step !== '')
    for (let length = steps.length; length > 0; length--) {
      const keys = steps.slice(0, length).map((step) => (/^\d+$/.test(step) ? Number(step) : step))
      const node: unknown = document.getIn(keys, true)
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
    }
    return undefined
  }
}
