import { dictFromEntries, type PyValue, pyStr, stringifyJson } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import type { Loader, Settings } from '../loader.ts'
import type { Data } from '../loader-data.ts'
import { csvFrame, isNaNumber } from '../read/csv-frame.ts'
import { readParquetTable } from '../read/parquet.ts'
import { at, get, listOf, type RowDict, row, textAt } from '../row-values.ts'
import { dictsOf } from '../table.ts'
import { asBase64, type MessageSegment, partsOf, tableOfParts } from './message-parts.ts'

// Questions about images, of AISBench.

const folderOf = (path: string) => path.split('/').slice(0, -1).join('/')

/** Questions, one per line, with the answers of ten people in a second file. */
export const textVqa: Loader = {
  reads: 'a .jsonl file (question_id, question, image) beside {name}_annotations.json',
  takes: ['path', 'image_type', 'with_parts?'],
  async load(data, settings) {
    const path = await data.path(settings.path, { localMode: true })
    const name = path.split('/').at(-1)!.split('.')[0]!
    const annotations = listOf(at(await data.json(joinPath(folderOf(path), `${name}_annotations.json`)), 'annotations'))
    const answers = new Map(annotations.map((one) => [pyStr(get(one, 'question_id')), get(one, 'answers')]))
    const rows: RowDict[] = []
    for (const entry of await data.rows(path)) {
      const answer = answers.get(pyStr(at(entry, 'question_id')))
      if (answer === undefined) throw new BadData('the question has no answers', pyStr(at(entry, 'question_id')))
      const image = textAt(entry, 'image')
      const shown = settings.text('image_type') === 'image_base64' ? await asBase64(data, image) : image
      const content = partsOf(settings, [
        ['image', shown],
        ['text', textAt(entry, 'question')],
      ])
      rows.push(row({ content, answer }, entry))
    }
    return tableOfParts(rows)
  },
}

/** The rows of a .tsv file with images in base64; short ones are the index of another row with the same image. */
async function imageRows(data: Data, settings: Settings): Promise<{ entry: RowDict; images: MessageSegment[] }[]> {
  const path = await data.path(settings.path)
  const { rows } = csvFrame(await data.text(path), path, { delimiter: '\t' })
  const kept = rows.filter((entry) => !isNaNumber(entry.get('image')))
  const byIndex = new Map(kept.map((entry) => [pyStr(at(entry, 'index')), pyStr(at(entry, 'image'))]))
  return kept.map((entry) => {
    const own = pyStr(at(entry, 'image'))
    const image = own.length <= 64 ? byIndex.get(own) : own
    if (image === undefined) throw new BadData(`no row has the index ${own}, whose image is used`, path)
    const images =
      image.startsWith('[') && image.endsWith(']') ? [...image.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, a, b]) => (a ?? b)!) : [image]
    return { entry, images: images.map((one): MessageSegment => ['image', { base64: one }]) }
  })
}

const isThere = (value: PyValue | undefined) => value !== undefined && value !== null && !isNaNumber(value)

/** MMStar: multiple choice, with the options in the columns A, B, …. */
export const mmStar: Loader = {
  reads: 'a .tsv file: index, image (base64), question, A to Z, answer, category',
  takes: ['path', 'with_parts?'],
  async load(data, settings) {
    return tableOfParts(
      (await imageRows(data, settings)).map(({ entry, images }) => {
        const options = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap((letter) => {
          const text = entry.get(letter)
          return isThere(text) ? [[letter, text!] as const] : []
        })
        const listed = `Options:\n${options.map(([letter, text]) => `${letter}. ${pyStr(text)}\n`).join('')}Please select the correct answer from the options above. \n`
        const hint = isThere(entry.get('hint')) ? `Hint: ${pyStr(entry.get('hint')!)}\n` : ''
        const question = `${hint}${textAt(entry, 'question')}${options.length > 0 ? listed : ''}`
        const shown = ['split', 'l2-category', 'category'].map((name): [string, PyValue] => [
          name,
          isThere(entry.get(name)) ? entry.get(name)! : null,
        ])
        const answer = dictFromEntries([['choices', stringifyJson(new Map(options) as PyValue)], ['answer', at(entry, 'answer')], ...shown])
        return row({ content: partsOf(settings, [images[0]!, ['text', question]]), answer })
      }),
    )
  },
}

/** Questions about documents, with a list of right answers. */
export const documentImages: Loader = {
  reads: 'a .tsv file: index, image (base64), question, answer',
  takes: ['path', 'with_parts?'],
  async load(data, settings) {
    return tableOfParts(
      (await imageRows(data, settings)).map(({ entry, images }) => {
        const question = `${textAt(entry, 'question')}\nAnswer the question using a single word or phrase.`
        return row({ content: partsOf(settings, [...images, ['text', question]]), answer: at(entry, 'answer') })
      }),
    )
  },
}

const realWorldQuestion = (question: string) =>
  `Read the picture and solve the following problem step by step.The last line of your response should be of the form "ANSWER: [ANSWER]" (without quotes) where [ANSWER] is the answer to the problem.\n\n${question}\n\nRemember to put your answer on its own line at the end in the form "ANSWER: [ANSWER]" (without quotes) where [ANSWER] is the answer to the problem, and you do not need to use a \\boxed command.`

/** RealWorldQA: the rows of all Parquet files of a folder. */
export const realWorldQa: Loader = {
  reads: 'a .parquet file in a folder of such files: question, answer, image',
  takes: ['path', 'image_type?', 'with_parts?'],
  async load(data, settings) {
    const folder = folderOf(await data.path(settings.path))
    const rows: RowDict[] = []
    for (const name of (await data.names(folder)).filter((one) => one.endsWith('.parquet'))) {
      const path = joinPath(folder, name)
      for (const entry of dictsOf(await readParquetTable(await data.bytes(path), path, { asBase64: true }))) {
        const image = get(at(entry, 'image'), 'bytes')
        if (typeof image !== 'string') continue
        const content = partsOf(settings, [
          ['text', realWorldQuestion(textAt(entry, 'question'))],
          ['image', { base64: image }],
        ])
        rows.push(row({ content, answer: at(entry, 'answer') }))
      }
    }
    return tableOfParts(rows)
  },
}
