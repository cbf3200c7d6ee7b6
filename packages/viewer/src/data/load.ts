import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import { parseJson } from '@rolecall/core/internal/python'
import type { RowList, RowPage, Site, WireError } from 'rolecall/internal/server/viewer/viewer-data'
import { partTexts } from '../texts/parts.ts'
import { fetchFile } from './fetch-file.ts'

/** Loads a file of the site from the server, or from beside an exported page. */
export async function load(path: string, signal?: AbortSignal): Promise<Response> {
  return loaded(path, await fetchFile(path, signal))
}

/** Sends a change to the server; a read-only site has no token. */
export async function change(site: Site, path: string, changes: object, more: Readonly<Record<string, string>> = {}): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-rolecall-token': site.token ?? '', ...more }
  return loaded(path, await fetchFile(path, undefined, { method: 'POST', headers, body: JSON.stringify(changes) }))
}

async function loaded(path: string, response: Response): Promise<Response> {
  if (response.ok) return response
  const body = (await response.json().catch(() => undefined)) as WireError | undefined
  throw new PromptError(
    response.status === 403 ? 'forbidden' : 'not-loaded',
    body?.error ?? { where: path, problem: partTexts().notRead(response.status), fix: partTexts().notReadFix },
  )
}

export async function loadSite(): Promise<Site> {
  return (await load('data/site.json')).json()
}

/** A row with its examples, in the core's types. */
export type LoadedRow = { row: Row; text: string; examples: readonly Row[]; notes: RowPage['notes'] }

export async function loadRow(site: Site, config: number, dataset: number, number: number, signal?: AbortSignal): Promise<LoadedRow> {
  const part = Math.floor(number / site.rowsPerFile)
  const file = (await (await load(`data/configs/${config}/datasets/${dataset}/rows/${part}.json`, signal)).json()) as RowPage
  const found = file.rows[number - part * site.rowsPerFile]
  if (!found)
    throw new PromptError('no-row', { where: `row ${number}`, problem: 'there is no such row here', fix: 'choose a smaller number' })
  // A run may be somebody else's, and its config may name any file: only what the run recorded is shown.
  const { notAsRun, notAsRunFix } = partTexts()
  if (found.withheld === 'row') throw new PromptError('other-data', { where: `row ${number}`, problem: notAsRun.row, fix: notAsRunFix })
  const row = parseJson(found.row) as Row
  // Equal rows share an object, so that a row that is its own example is detected.
  const examples = found.examples.map((at, index) => (index === found.own ? row : (parseJson(file.texts[at]!) as Row)))
  const notes = found.withheld === 'examples' ? [...file.notes, { code: 'other-examples' as const, text: notAsRun.examples }] : file.notes
  return { row, text: found.row, examples, notes }
}

export async function loadRowList(config: number, dataset: number, part: number, signal?: AbortSignal): Promise<RowList> {
  return (await load(`data/configs/${config}/datasets/${dataset}/list/${part}.json`, signal)).json()
}

const changed = 'rolecall-site'

/** Signals that the site has more content and must be reloaded. */
export function siteChanged(): void {
  dispatchEvent(new Event(changed))
}

/** Calls the listener when the site has changed. */
export function onSiteChange(listener: () => void): () => void {
  addEventListener(changed, listener)
  return () => removeEventListener(changed, listener)
}
