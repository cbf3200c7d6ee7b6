import { strip } from '@rolecall/core/internal/python'
import { PythonRandom } from '../../../../python/library/random.ts'
import { BadData } from '../bad-data.ts'
import { joinPath, type LoaderTokenizer } from '../files.ts'
import type { Loader, Settings } from '../loader.ts'
import { type Data, isJson } from '../loader-data.ts'
import { at, get, integer, listOf, type RowDict, textAt } from '../row-values.ts'
import { fromColumns, type Table } from '../table.ts'
import { type NeedleKind, promptOfVersion1, promptOfVersion2 } from './needle-prompts.ts'
import { familyWords } from './relatives.ts'

// NeedleBench: facts hidden in a long text, at given depths. Texts are cut by tokens, so prompts depend on the tokenizer.

const haystacks = [
  'en_un_asr.jsonl',
  'zh_all.jsonl',
  'PaulGrahamEssays.jsonl',
  'multi_needle_reasoning_en.json',
  'multi_needle_reasoning_zh.json',
  'names.json',
  'zh_finance.jsonl',
  'zh_game.jsonl',
  'zh_general.jsonl',
  'zh_government.jsonl',
  'zh_movie.jsonl',
  'zh_tech.jsonl',
]

/** What one prompt hides and asks. */
type Task = { needles: string[]; question: string; answer: string; lastPerson?: string }

type Bench = {
  settings: Settings
  tokenizer: LoaderTokenizer
  language: 'Chinese' | 'English'
  /** Version 1 of the class has the setting `guide`, version 2 has not. */
  isFirst: boolean
  folder: string
}

type Insert = (tokens: number[], needles: number[][], settings: Settings) => number[]

/** A kind of NeedleBench: how needles are drawn for each repetition, and where they are put. */
function needleBench(
  kind: NeedleKind,
  {
    own,
    files,
    open,
    insert,
  }: { own: string[]; files: readonly string[]; open: (data: Data, bench: Bench) => Promise<(counter: number) => Task>; insert: Insert },
): Loader {
  return {
    reads: 'a folder with the texts of "file_list" and the needles; it needs the tokenizer of "tokenizer_model"',
    takes: [
      ...['path', 'length', 'tokenizer_model', 'file_list', 'num_repeats_per_file', 'length_buffer', 'language', 'needle_file_name'],
      ...own,
      ...['guide?', 'position?', 'quesiton_position?'],
    ],
    async load(data, settings) {
      const bench = await benchOf(data, settings, kind)
      const taskOf = await open(data, bench)
      const columns = { prompt: [] as (string | string[])[], answer: [] as string[] }
      const wanted = listOf(settings.get('file_list'))
      for (const file of files) {
        if (!wanted.includes(file)) continue
        const lines = await data.rows(joinPath(bench.folder, file))
        for (let counter = 0; counter < integer(settings.get('num_repeats_per_file')); counter++) {
          new PythonRandom(counter).shuffle(lines)
          const task = taskOf(counter)
          columns.prompt.push(promptOf(bench, kind, task, contextOf(bench, lines, task, insert)))
          columns.answer.push(task.answer)
        }
      }
      return fromColumns(columns) as Table
    },
  }
}

async function benchOf(data: Data, settings: Settings, kind: NeedleKind): Promise<Bench> {
  const isFirst = settings.has('guide')
  const surplus = isFirst ? 'quesiton_position' : 'position'
  if (settings.has(surplus)) throw new BadData(`it does not take "${surplus}"`)
  const [language, model] = [settings.text('language'), settings.text('tokenizer_model')]
  if (language !== 'Chinese' && language !== 'English') throw new BadData(`the language "${language}" is not supported`)
  if (!['End', 'Start'].includes(settings.text(isFirst ? 'position' : 'quesiton_position', 'End')))
    throw new BadData('the position is neither "End" nor "Start"')
  const tokenizer = await data.tokenizer(model)
  // The second version of the chains ignores its path.
  const folder = kind === 'chain' && !isFirst ? await data.repository('opencompass/NeedleBench') : await data.path(settings.path)
  return { settings, tokenizer, language, isFirst, folder }
}

/** The text with its needles, as long as it may be. */
function contextOf({ settings, tokenizer }: Bench, lines: readonly RowDict[], { needles }: Task, insert: Insert): string {
  const hidden = needles.map((needle) => tokenizer.encode(needle))
  const room = integer(settings.get('length')) - integer(settings.get('length_buffer'))
  const length = Math.max(0, room - hidden.reduce((sum, one) => sum + one.length, 0))
  const tokens: number[] = []
  for (const line of lines) {
    for (const token of tokenizer.encode(textAt(line, 'text'))) tokens.push(token)
    if (tokens.length >= length) break
  }
  return tokenizer.decode(insert(tokens.slice(0, length), hidden, settings))
}

function promptOf({ settings, language, isFirst }: Bench, kind: NeedleKind, task: Task, context: string): string | string[] {
  const position = settings.text(isFirst ? 'position' : 'quesiton_position', 'End')
  const asked = { language, position, context, question: task.question, lastPerson: task.lastPerson ?? '' }
  if (!isFirst) return promptOfVersion2(asked, kind)
  return promptOfVersion1({ ...asked, question: guided(task.question, language, settings.flag('guide'), kind) }, kind)
}

const guides = {
  Chinese: { hint: '在回答之前，请思考文档中与此问题最相关的内容是什么。', mark: '请按照', cut: 16, quoted: "请按照'" },
  English: {
    hint: 'Before answering, please consider what in the document is most relevant to this question.',
    mark: 'Please answer in the format',
    cut: 10,
    quoted: "Please answer in the format '",
  },
}

/** Version 1 adds a hint to the question; for base models, the question for one needle ends where the answer begins. */
function guided(question: string, language: Bench['language'], isGuided: boolean, kind: NeedleKind): string {
  const { hint, mark, cut, quoted } = guides[language]
  if (kind !== 'one' && !isGuided) return question
  if (kind === 'chain') return question + hint
  const [first, second] = question.split(mark)
  if (second === undefined) throw new BadData(`the question of a needle has no "${mark}"`)
  const whole = `${first}${hint}${language === 'English' ? ' ' : ''}${mark}${second}`
  return isGuided ? whole : [...whole.replaceAll(quoted, '')].slice(0, -cut).join('')
}

/** One needle at `depth` per cent. */
export const needleBenchOrigin = needleBench('one', {
  own: ['depth'],
  files: haystacks.filter((file) => file !== 'names.json'),
  async open(data, { settings, language, folder }) {
    const rows = await data.rows(joinPath(folder, settings.text('needle_file_name')))
    const needles = rows.filter((row) => at(row, 'language') === language)
    return (counter) => {
      if (needles.length === 0) throw new BadData(`there is no needle in ${language}`)
      const needle = needles[new PythonRandom(counter).below(needles.length)]!
      const text = `\n${textAt(needle, 'needle')}\n`
      return { needles: [text], question: textAt(needle, 'retrieval_question'), answer: `${text}*${textAt(needle, 'arg2')}` }
    }
  },
  insert(tokens, needles, settings) {
    const place = Math.trunc(tokens.length * (Number(settings.get('depth')) / 100))
    return [...tokens.slice(0, place), ...needles[0]!, ...tokens.slice(place)]
  },
})

/** A needle for each of `depths`. The reference draws them without a seed; here the draw is the same in every run. */
export const needleBenchParallel = needleBench('parallel', {
  own: ['depths'],
  files: haystacks.slice(2).filter((file) => file !== 'names.json'),
  async open(data, { settings, language, folder }) {
    const depths = listOf(settings.get('depths'))
    const lines = new PythonRandom(data.files.seed ?? 0).shuffle(await data.lines(joinPath(folder, settings.text('needle_file_name'))))
    const drawn = distinctNeedles(data, lines, language, depths.length)
    return (counter) => {
      const needles = new PythonRandom(counter).shuffle([...drawn])
      const [end, stop] = language === 'Chinese' ? ['？', '。'] : ['?', '.']
      const questions = needles.map((needle) => textAt(needle, 'retrieval_question'))
      const asked = questions.map((question) => question.split(end)[0] + end).join('、')
      const form = questions.map((question) => textAt(question.split("'"), 1).split(stop)[0]).join('、')
      return {
        needles: needles.map((needle) => `\n${textAt(needle, 'needle')}\n`),
        question: language === 'Chinese' ? `${asked}请按照'${form}'的格式回答。` : `${asked}Please answer in the format of '${form}'`,
        answer: `${needles.map((needle) => textAt(needle, 'arg2')).join('*')}#${depths.map(String).join('*')}`,
      }
    }
  },
  insert(tokens, needles, settings) {
    const places = listOf(settings.get('depths')).map((depth) => Math.trunc(tokens.length * (Number(depth) / 100)))
    return withNeedles(tokens, needles, places)
  },
})

/** The tokens with needles at these places; each needle moves the places after it. */
function withNeedles(tokens: readonly number[], needles: readonly number[][], places: readonly number[]): number[] {
  const inserted = [...tokens]
  let moved = 0
  for (const [index, needle] of needles.entries()) {
    inserted.splice(Math.min(places[index]! + moved, inserted.length), 0, ...needle)
    moved += needle.length
  }
  return inserted
}

/** Needles of which no two have the same subject or object. */
function distinctNeedles(data: Data, lines: readonly string[], language: string, count: number): RowDict[] {
  const seen = { arg1: new Set<unknown>(), arg2: new Set<unknown>() }
  const found: RowDict[] = []
  for (const line of lines) {
    const text = strip(line)
    if (!isJson(text)) continue
    const entry = data.parse(text, 'needles')
    const [one, other] = [get(entry, 'arg1', ''), get(entry, 'arg2', '')]
    if (get(entry, 'language') === language && !seen.arg1.has(one) && !seen.arg2.has(other)) {
      seen.arg1.add(one)
      seen.arg2.add(other)
      found.push(new Map(Object.entries(entry as Record<string, never>)))
    }
    if (found.length === count) break
  }
  return found
}

/** Several needles, `diff` per cent apart. Version 1 takes ready chains from a file, version 2 makes them of names. */
export const needleBenchMulti = needleBench('chain', {
  own: ['depth', 'num_needles', 'diff'],
  files: haystacks.slice(2),
  async open(data, { settings, language, folder, isFirst }) {
    const content = await data.json(joinPath(folder, settings.text('needle_file_name')))
    const count = integer(settings.get('num_needles'))
    if (!isFirst) return (counter) => chainOfNames(textAt(content, language).split(','), count + 1, language, counter)
    const chains = listOf(content).filter((chain) => get(chain, 'derivation_count') === count)
    return (counter) => {
      if (chains.length === 0) throw new BadData(`there is no chain of ${count} needles`)
      const chain = chains[new PythonRandom(counter).below(chains.length)]!
      const needles = listOf(at(chain, 'derivations')).map((needle) => `\n${needle as string}\n`)
      const answer = textAt(chain, 'answer')
      return { needles, question: textAt(chain, 'question'), answer: `${answer}*${answer}` }
    }
  },
  insert(tokens, needles, settings) {
    const [depth, diff] = [Number(settings.get('depth')), Number(settings.get('diff'))]
    const places: number[] = []
    let before = 0
    for (const [index] of needles.entries()) {
      const place =
        index === 0
          ? Math.trunc(tokens.length * (depth / 100))
          : Math.trunc(places[index - 1]! + needles[index - 1]!.length + tokens.length * (diff / 100))
      places.push(Math.min(place, tokens.length + before))
      before += needles[index]!.length
    }
    return withNeedles(tokens, needles, places)
  },
})

function chainOfNames(all: readonly string[], count: number, language: Bench['language'], counter: number): Task {
  if (count > all.length) throw new BadData(`there are only ${all.length} names`)
  const random = new PythonRandom(counter)
  const names = random.sample(all, count)
  const { terms, sentences } = familyWords[language]
  const story = names.slice(1).map((name, index) => {
    const sentence = sentences[random.below(sentences.length)]!
    const term = terms[random.below(terms.length)]!
    return sentence
      .replaceAll('{A}', () => names[index]!)
      .replaceAll('{B}', () => name)
      .replaceAll('{R}', term)
  })
  const needles = random.shuffle(story).map((needle) => `\n${needle}\n`)
  const lastPerson = names.at(-1)!
  return {
    needles,
    lastPerson,
    answer: names[0]!,
    question:
      language === 'Chinese'
        ? `在上面提供的文本中，'${lastPerson}'的能够向上追溯到的最年长的亲人是谁？`
        : `Given the context described above, who is the eldest relative that '${lastPerson}' can trace back to in the context?`,
  }
}
