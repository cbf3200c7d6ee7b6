import { compareCodePoints, type PyValue, pyRepr } from '@rolecall/core/internal/python'
import { PythonRandom } from '../../../../python/library/random.ts'
import { BadData } from '../bad-data.ts'
import { at, isTrue, listAt, listOf, textAt, textOf } from '../row-values.ts'
import { fill, grown, numberIn, ruler, type Sample, sample } from './ruler.ts'

type Question = { query: string; answers: string[]; documents: number[]; more: number[] }

export const rulerQa = ruler(
  'a JSON file of SQuAD 2.0 or HotpotQA; it needs the tokenizer of "tokenizer_model"',
  ['path', 'dataset?', 'pre_samples?'],
  {
    toGenerate: 32,
    template:
      'Answer the question based on the given documents. Only give me the answer and do not output any other words.\n\nThe following are given documents.\n\n{context}\n\nAnswer the question based on the given documents. Only give me the answer and do not output any other words.\n\nQuestion: {query} Answer:',
  },
  async (data, bench) => {
    const { settings, random, seed, template } = bench
    const kind = settings.text('dataset', 'squad')
    if (kind !== 'squad' && kind !== 'hotpotqa') throw new BadData(`the dataset "${kind}" is not known: it is squad or hotpotqa`)
    const json = await data.json(await data.path(settings.path, { localMode: true }))
    const { questions, documents } = kind === 'squad' ? squad(json) : hotpot(json)
    const before = numberIn(settings, 'pre_samples', 0)
    if (before + numberIn(settings, 'num_samples', 500) > questions.length)
      throw new BadData(`it has ${questions.length} questions, fewer than num_samples and pre_samples together`)
    const places = [...documents.keys()]
    const make = (size: number, question: Question): Sample => {
      const { query, answers, documents: own, more } = question
      const chosen = () => {
        if (size - own.length <= more.length) return [...own, ...sample(random, more, size - own.length)]
        const used = new Set([...own, ...more])
        const others = places.filter((place) => !used.has(place))
        return [...own, ...more, ...sample(random, others, Math.max(0, size - own.length - more.length))]
      }
      // All documents are shuffled in place, as in the reference: later prompts see that order.
      const shown = size < documents.length ? chosen().map((place) => documents[place]!) : documents
      new PythonRandom(seed).shuffle(shown)
      const context = shown.map((document, place) => `Document ${place + 1}:\n${document}`).join('\n\n')
      return { prompt: fill(template, { context, query }), answer: answers }
    }
    return grown(bench, {
      step: 10,
      most: documents.length,
      make: (size, index) => make(size, questions[index === undefined ? 0 : index + before]!),
      shown: (answer) => ` ${pyRepr([...answer])}`,
    })
  },
)

/** Documents without duplicates, and the place of each. */
function placed(texts: readonly string[]): { documents: string[]; placeOf: (text: string) => number } {
  const documents = [...new Set(texts)].sort(compareCodePoints)
  const places = new Map(documents.map((text, place) => [text, place]))
  return { documents, placeOf: (text) => places.get(text)! }
}

function squad(json: PyValue): { questions: Question[]; documents: string[] } {
  const articles = listAt(json, 'data').map((article) => listAt(article, 'paragraphs'))
  const { documents, placeOf } = placed(articles.flat().map((paragraph) => textAt(paragraph, 'context')))
  const questions = articles.flatMap((paragraphs) => {
    const all = paragraphs.map((paragraph) => placeOf(textAt(paragraph, 'context')))
    return paragraphs.flatMap((paragraph, index) =>
      listAt(paragraph, 'qas').flatMap((question): Question[] => {
        if (isTrue(at(question, 'is_impossible'))) return []
        const answers = listAt(question, 'answers').map((answer) => textAt(answer, 'text'))
        const own = all[index]!
        return [{ query: textAt(question, 'question'), answers, documents: [own], more: all.filter((place) => place !== own) }]
      }),
    )
  })
  return { questions, documents }
}

function hotpot(json: PyValue): { questions: Question[]; documents: string[] } {
  const textsOf = (row: PyValue) =>
    listAt(row, 'context').map(
      (pair) =>
        `${textAt(pair, 0)}\n${listAt(pair, 1)
          .map((part) => textOf(part))
          .join('')}`,
    )
  const rows = listOf(json)
  const { documents, placeOf } = placed(rows.flatMap(textsOf))
  const questions = rows.map((row) => ({
    query: textAt(row, 'question'),
    answers: [textAt(row, 'answer')],
    documents: textsOf(row).map(placeOf),
    more: [],
  }))
  return { questions, documents }
}
