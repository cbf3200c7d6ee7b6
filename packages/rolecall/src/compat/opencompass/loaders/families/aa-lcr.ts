import { strip } from '@rolecall/core/internal/python'
import { MissingData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import type { Loader, Settings } from '../loader.ts'
import type { Data } from '../loader-data.ts'
import { unzipTexts } from '../read/unzip-texts.ts'
import { get, integer, type RowDict, row, textAt, textOf } from '../row-values.ts'
import { fromList } from '../table.ts'

const listOf = (text: string) => text.split(';').flatMap((item) => (strip(item) === '' ? [] : [strip(item)]))

/** A file in a folder, also without the folder that its name gives. */
async function fileIn(data: Data, folder: string, name: string): Promise<string> {
  for (const path of [joinPath(folder, name), joinPath(folder, name.slice(name.lastIndexOf('/') + 1))])
    if ((await data.exists(path)) && !(await data.isFolder(path))) return path
  throw new MissingData(`there is no ${name}`, folder)
}

async function filesOf(data: Data, settings: Settings): Promise<{ csv: string; zip: string }> {
  const path = await data.repository(settings.text('path', 'ArtificialAnalysis/AA-LCR'))
  const [csv, zip] = [
    settings.text('csv_filename', 'AA-LCR_Dataset.csv'),
    settings.text('zip_filename', 'extracted_text/AA-LCR_extracted-text.zip'),
  ]
  if (await data.isFolder(path)) return { csv: await fileIn(data, path, csv), zip: await fileIn(data, path, zip) }
  if (await data.exists(path)) return { csv: path, zip: await fileIn(data, path.slice(0, path.lastIndexOf('/')), zip) }
  throw new MissingData(`there is no folder ${path}`, path)
}

function promptOf(documents: readonly string[], question: string): string {
  const numbered = documents.map((text, index) => `BEGIN DOCUMENT ${index + 1}:\n${text}\nEND DOCUMENT ${index + 1}`)
  return `BEGIN INPUT DOCUMENTS

${numbered.join('\n\n')}

END INPUT DOCUMENTS

Answer the following question using the input documents provided above.

START QUESTION

${question}

END QUESTION
`
}

/** AA-LCR: questions about documents, which lie in a ZIP archive beside the questions. */
export const aaLcr: Loader = {
  reads: 'a folder laid out as the repository ArtificialAnalysis/AA-LCR on the Hugging Face hub: a CSV file and a ZIP archive of texts',
  takes: ['path?', 'csv_filename?', 'zip_filename?'],
  async load(data, settings) {
    const { csv, zip } = await filesOf(data, settings)
    const archive = unzipTexts(await data.bytes(zip), zip)
    const rows: RowDict[] = []
    for (const [index, entry] of (await data.csvRows(csv)).entries()) {
      const [category, set, question] = [textAt(entry, 'document_category'), textAt(entry, 'document_set_id'), textAt(entry, 'question')]
      const names = listOf(textAt(entry, 'data_source_filenames'))
      const documents: string[] = []
      for (const name of names) documents.push(await archive.text(['lcr', category, set, name].join('/')))
      rows.push(
        row(
          {
            id: integer(get(entry, '', index)),
            question_id: integer(textAt(entry, 'question_id')),
            document_category: category,
            document_set_id: set,
            question,
            answer: listOf(textAt(entry, 'answer')),
            data_source_filenames: names,
            data_source_urls: listOf(textOf(get(entry, 'data_source_urls', ''))),
            input_tokens: integer(textAt(entry, 'input_tokens')),
            prompt: promptOf(documents, question),
          },
          entry,
        ),
      )
    }
    const table = fromList(rows)
    return { test: table, train: table }
  },
}
