import { type PyValue, pyStr, strip } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import type { Loader } from '../loader.ts'
import type { Data } from '../loader-data.ts'
import { at, dictOf, get, integer, letter, lettered, listAt, type RowDict, rename, row, set, textAt } from '../row-values.ts'
import { hubSplits, oneFile, splitFiles } from '../simple.ts'
import { dictsOf, fromList, type Table } from '../table.ts'

/** A row of the hub, whose choices are columns, as in the original files. */
function nestedChoices(entry: RowDict): RowDict {
  const [texts, labels] = [listAt(at(entry, 'choices'), 'text'), listAt(at(entry, 'choices'), 'label')]
  const choices = texts.map((text, index) => ({ text, label: at(labels, index) }))
  return set(entry, { question: { stem: get(entry, 'question_stem', get(entry, 'question')), choices } })
}

/** Drops rows without exactly four choices; labels 1 to 4 become letters. */
export const arc: Loader = oneFile({
  takes: ['path', 'name'],
  errors: 'ignore',
  reads: 'a .jsonl file of ARC',
  // OpenCompass reads validation for the ids of the test set, too.
  hub: { split: ({ path }) => (path.endsWith('-test') ? 'test' : 'validation'), subset: ({ name }) => name, shape: nestedChoices },
  change(entry) {
    const question = at(entry, 'question')
    const choices = listAt(question, 'choices')
    if (choices.length !== 4) return []
    const labels = choices.map((choice) => at(choice, 'label'))
    const key = at(entry, 'answerKey')
    const answer = labels.indexOf(key)
    if (answer < 0) throw new BadData(`the answer ${pyStr(key)} is none of the choices`)
    const [textA, textB, textC, textD] = choices.map((choice) => at(choice, 'text')) as [PyValue, PyValue, PyValue, PyValue]
    return row({ question: at(question, 'stem'), answerKey: letter(answer), textA, textB, textC, textD }, entry)
  },
})

/** The same with contamination annotations for each row, from a neighbouring file. */
export const arcAnnotated: Loader = {
  reads: 'a .jsonl file of ARC, and ARC_c_test_contamination_annotations.json beside it',
  takes: ['path', 'name'],
  async load(data, settings) {
    const path = await data.path(settings.path)
    const annotations = dictOf(await data.json(joinPath(path.slice(0, path.lastIndexOf('/')), 'ARC_c_test_contamination_annotations.json')))
    const rows = await data.rows(path, { errors: 'ignore' })
    const kept = rows.filter((entry) => listAt(at(entry, 'question'), 'choices').length === 4)
    const marks = kept.map((entry) => annotations.get(textAt(entry, 'id')))
    const loaded = (await arc.load(data, settings)) as Table
    return fromList(
      dictsOf(loaded).map((entry, index) => set(entry, { is_clean: marks[index] === undefined ? 'not labeled' : at(marks[index], 0) })),
    )
  },
}

/** Five choices; the file without answers is not read. */
export const commonsenseQa: Loader = splitFiles(
  { train: 'train_rand_split.jsonl', validation: 'dev_rand_split.jsonl' },
  {
    hub: { splits: { train: 'train', validation: 'validation' }, shape: nestedChoices },
    change(entry) {
      const question = at(entry, 'question')
      const choices = listAt(question, 'choices').map((choice) => at(choice, 'text'))
      return row({ question: at(question, 'stem'), ...lettered(choices, 5), answerKey: at(entry, 'answerKey') }, entry)
    },
  },
)

function openBook(change: (stem: string) => string): Loader {
  return oneFile({
    takes: ['path', 'name?'],
    hub: { split: 'test', subset: (settings) => settings.text('name', 'main'), shape: nestedChoices },
    change(entry) {
      const question = at(entry, 'question')
      const choices = listAt(question, 'choices').map((choice) => at(choice, 'text'))
      const found = row(
        { ...lettered(choices, 4), question_stem: change(textAt(question, 'stem')), answerKey: at(entry, 'answerKey') },
        entry,
      )
      const fact = entry.get('fact1')
      return fact === undefined ? found : set(found, { fact1: fact })
    },
  })
}

export const openBookQa = openBook((stem) => stem)

/** Appends "what?" to a question that does not end like one. */
export const openBookQa2 = openBook((stem) => (/[?.]$/.test(strip(stem)) ? stem : `${stem} what?`))

export const race: Loader = splitFiles(
  { validation: 'validation/{name}.jsonl', test: 'test/{name}.jsonl' },
  {
    hub: { splits: { validation: 'validation', test: 'test' }, subset: ({ name }) => name },
    takes: ['path', 'name'],
    change(entry) {
      const options = listAt(entry, 'options')
      return row(
        { article: at(entry, 'article'), question: at(entry, 'question'), ...lettered(options, 4), answer: at(entry, 'answer') },
        entry,
      )
    },
  },
)

function hellaswagLoader(context: (query: string) => string, label: (gold: PyValue) => PyValue): Loader {
  return oneFile({
    reads: 'a .jsonl file: query, choices, gold',
    hub: { split: 'validation' },
    change: (entry) =>
      row({ ctx: context(textAt(entry, 'query')), ...lettered(listAt(entry, 'choices'), 4), label: label(at(entry, 'gold')) }, entry),
  })
}

/** The text after the last of the first n colons. */
function afterColon(query: string, most: number): string {
  const parts = query.split(': ')
  return parts.slice(Math.min(most, parts.length - 1)).join(': ')
}

/** `'ABCD'[gold]`. */
function letterOf(gold: PyValue): string {
  if (typeof gold !== 'number') throw new BadData(`the label ${pyStr(gold)} is not a number`)
  return at('ABCD', gold) as string
}

export const hellaswag = hellaswagLoader(
  (query) => afterColon(query, 2),
  (gold) => gold,
)
export const hellaswag2 = hellaswagLoader((query) => afterColon(query, 1), letterOf)

/** The same with additional rows for examples. */
export const hellaswagExamples: Loader = splitFiles(
  { train: 'hellaswag_train_sampled25.jsonl', val: 'hellaswag.jsonl' },
  {
    hub: { splits: { train: 'train', val: 'validation' } },
    change: (entry) =>
      row(
        {
          ctx: afterColon(textAt(entry, 'query'), 1),
          ...lettered(listAt(entry, 'choices'), 4),
          label: letterOf(at(entry, 'gold')),
        },
        entry,
      ),
  },
)

export const hellaswag3: Loader = oneFile({
  hub: { split: 'validation' },
  reads: 'a .jsonl file: query, choices, gold',
  change: (entry) => row({ query: at(entry, 'query'), ...lettered(listAt(entry, 'choices'), 4), gold: at(entry, 'gold') }, entry),
})

/** Rows of a .jsonl file with labels from the lines of a .lst file. */
async function labelled(data: Data, path: string, change: (entry: RowDict, label: number) => void): Promise<Table> {
  const rows = await data.rows(`${path}.jsonl`)
  const labels = (await data.lines(`${path}-labels.lst`)).map((line) => integer(strip(line)))
  if (rows.length !== labels.length) throw new BadData(`there are ${rows.length} rows and ${labels.length} labels`, `${path}-labels.lst`)
  rows.forEach((entry, index) => {
    change(entry, labels[index]!)
  })
  return fromList(rows)
}

function labelledSplits(change: (entry: RowDict, label: number) => void): Loader {
  return {
    reads: 'a folder with train.jsonl, train-labels.lst, dev.jsonl and dev-labels.lst',
    takes: ['path'],
    async load(data, settings) {
      const path = await data.path(settings.path)
      return {
        train: await labelled(data, joinPath(path, 'train'), change),
        validation: await labelled(data, joinPath(path, 'dev'), change),
      }
    },
    hub: (rows) =>
      hubSplits({ train: 'train', validation: 'validation' }, async (split) => {
        const found = await rows.rows(split)
        for (const entry of found) change(entry, integer(at(entry, 'label')))
        return fromList(found)
      }),
  }
}

export const siqa = labelledSplits((entry, label) => entry.set('label', label))

/** All accepted answers: the letter with its text, the letter, the text. */
export const siqa2 = labelledSplits((entry, label) => {
  const candidates = ['A', 'B', 'C'].map((one) => [`${one}. ${textAt(entry, `answer${one}`)}`, one, textAt(entry, `answer${one}`)])
  set(entry, { all_labels: { candidates, label: label - 1 }, label: at(' ABC', label) })
})

export const piqa = labelledSplits((entry, label) => {
  entry.delete('id')
  entry.set('label', label)
})

export const piqa2 = labelledSplits((entry, label) => {
  entry.delete('id')
  entry.delete('label')
  entry.set('answer', label < 0 ? 'NULL' : at('AB', label))
})

/** The choices keyed by letter. */
export const siqa3 = labelledSplits((entry, label) => {
  for (const one of ['A', 'B', 'C']) rename(entry, `answer${one}`, one)
  entry.delete('label')
  entry.set('answer', at('ABC', label - 1))
})

/** The goal is capitalized, and so are the solutions if the goal is a full sentence. */
export const piqa3 = labelledSplits((entry, label) => {
  entry.set('label', label)
  const goal = firstLetter(textAt(entry, 'goal'), true)
  entry.set('goal', goal)
  for (const name of ['sol1', 'sol2']) entry.set(name, firstLetter(textAt(entry, name), /[?.]$/.test(goal)))
  entry.delete('id')
})

function firstLetter(text: string, isCapital: boolean): string {
  const [first, ...rest] = text
  if (first === undefined) throw new BadData('the text is empty')
  return (isCapital ? first.toUpperCase() : first.toLowerCase()) + rest.join('')
}

function winograndeRow(entry: RowDict, answer: (given: PyValue) => PyValue): RowDict {
  const prompt = textAt(entry, 'sentence')
  const parts = prompt.split('_')
  if (parts.length < 2) throw new BadData('the sentence has no blank "_"')
  const [first, second] = [textAt(entry, 'option1'), textAt(entry, 'option2')]
  return row(
    {
      prompt,
      only_option1: first,
      only_option2: second,
      opt1: prompt.replaceAll('_', () => first),
      opt2: prompt.replaceAll('_', () => second),
      answer: answer(at(entry, 'answer')),
      cont: parts[1]!,
    },
    entry,
  )
}

/** 1 is A, 2 is B; a row without an answer has NULL. */
function winograndeLetter(given: PyValue): string {
  return given === '' ? 'NULL' : (at(' AB', integer(given)) as string)
}

const winograndeSubset = 'winogrande_xs'
const readsWinogrande = 'a folder with dev.jsonl of Winogrande'

function winograndeLoader(answer: (given: PyValue) => PyValue): Loader {
  return {
    reads: readsWinogrande,
    takes: ['path'],
    load: async (data, settings) =>
      fromList((await data.rows(joinPath(await data.path(settings.path), 'dev.jsonl'))).map((entry) => winograndeRow(entry, answer))),
    hub: async (rows) => fromList((await rows.rows('validation', winograndeSubset)).map((entry) => winograndeRow(entry, answer))),
  }
}

export const winogrande = winograndeLoader((given) => given)
export const winogrande2 = winograndeLoader(winograndeLetter)
export const winogrande3: Loader = splitFiles(
  { train_xs: 'train_xs.jsonl', dev: 'dev.jsonl' },
  {
    reads: 'a folder with dev.jsonl and train_xs.jsonl of Winogrande',
    hub: { splits: { train_xs: 'train', dev: 'validation' }, subset: winograndeSubset },
    change: (entry) => winograndeRow(entry, winograndeLetter),
  },
)

/** The rows of both files of a language, as one test split or without splits. */
function storyClozeLoader(change: (entry: RowDict) => void, isSplit: boolean): Loader {
  const all = async (read: (split: string) => Promise<RowDict[]>) => {
    const rows = [...(await read('train')), ...(await read('eval'))]
    for (const entry of rows) change(entry)
    return isSplit ? { test: fromList(rows) } : fromList(rows)
  }
  return {
    reads: 'a folder with {lang}_train.jsonl and {lang}_eval.jsonl',
    takes: ['path', 'lang'],
    async load(data, settings) {
      const path = await data.path(settings.path)
      return all((split) => data.rows(joinPath(path, `${settings.text('lang')}_${split}.jsonl`)))
    },
    hub: (rows, settings) => all((split) => rows.rows(split, settings.text('lang'))),
  }
}

function story(entry: RowDict): string {
  return [1, 2, 3, 4].map((number) => textAt(entry, `input_sentence_${number}`)).join(' ')
}

export const storyCloze = storyClozeLoader((entry) => entry.set('context', story(entry)), true)
export const storyCloze2 = storyClozeLoader((entry) => {
  set(entry, { context: story(entry), answer_right_ending: at(' AB', integer(at(entry, 'answer_right_ending'))) })
}, false)

function bigBenchLoader(file: (name: string) => string): Loader {
  return {
    reads: `a folder with ${file('{name}')}, whose "examples" are the questions`,
    takes: ['path', 'name'],
    async load(data, settings) {
      const path = joinPath(await data.path(settings.path), file(settings.name))
      return fromList(listAt(await data.json(path), 'examples').map((entry, index) => dictOf(entry, `${path} › ${index}`)))
    },
    hub: (rows, { name }) => rows.table('test', name),
  }
}

export const bbh = bigBenchLoader((name) => `${name}.json`)

/** BIG-Bench Extra Hard. */
export const bbeh = bigBenchLoader((name) => `${name}/task.json`)

export const strategyQa: Loader = oneFile({ as: 'list', hub: { split: 'train' } })

export const lambada: Loader = {
  reads: 'a .jsonl file: prompt, label',
  takes: ['path'],
  load: async (data, settings) => ({ test: fromList(await data.rows(await data.path(settings.path))) }),
  hub: async (rows) => ({ test: await rows.table('test') }),
}
