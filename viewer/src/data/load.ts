import type { RowList, RowPage, Site, WireError } from '../../../src/app/server/viewer/viewer-data.ts'
import { PromptError } from '../../../src/base/errors/prompt-error.ts'
import { parseJson } from '../../../src/base/python/index.ts'
import type { Row } from '../../../src/prompt/conversation/row.ts'
import { partWords } from '../words/parts.ts'
import { fetchFile } from './fetch-file.ts'

/** Reads a file of the site: from the server, or from beside the page in an exported one. */
export async function load(path: string, signal?: AbortSignal): Promise<Response> {
  const response = await fetchFile(path, signal)
  if (response.ok) return response
  const told = (await response.json().catch(() => undefined)) as WireError | undefined
  throw new PromptError(
    'not-loaded',
    told?.error ?? { where: path, problem: partWords().notRead(response.status), fix: partWords().notReadFix },
  )
}

export async function loadSite(): Promise<Site> {
  return (await load('data/site.json')).json()
}

/** One row with its examples, as the core takes them. */
export type LoadedRow = { row: Row; text: string; examples: readonly Row[]; notes: RowPage['notes'] }

export async function loadRow(site: Site, config: number, dataset: number, number: number, signal?: AbortSignal): Promise<LoadedRow> {
  const part = Math.floor(number / site.rowsPerFile)
  const file = (await (await load(`data/configs/${config}/datasets/${dataset}/rows/${part}.json`, signal)).json()) as RowPage
  const found = file.rows[number - part * site.rowsPerFile]
  if (!found)
    throw new PromptError('no-row', { where: `row ${number}`, problem: 'there is no such row here', fix: 'choose a smaller number' })
  const row = parseJson(found.row) as Row
  // The same row is the same object, so that a row that is its own example is seen.
  const examples = found.examples.map((at, index) => (index === found.own ? row : (parseJson(file.texts[at]!) as Row)))
  return { row, text: found.row, examples, notes: file.notes }
}

export async function loadRowList(config: number, dataset: number, part: number, signal?: AbortSignal): Promise<RowList> {
  return (await load(`data/configs/${config}/datasets/${dataset}/list/${part}.json`, signal)).json()
}

const changed = 'rolecall-site'

/** Says that there is more to look at than before: the site is loaded again. */
export function siteChanged(): void {
  dispatchEvent(new Event(changed))
}

/** Is told when there is more to look at. */
export function onSiteChange(told: () => void): () => void {
  addEventListener(changed, told)
  return () => removeEventListener(changed, told)
}
