import { dictEntries, isDict, isList, type PyValue, pyFloat, pyStr, strip } from '@rolecall/core/internal/python'
import { PythonRandom } from '../../../../python/library/random.ts'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import { loadFolder, readTable, splitOf } from '../load-dataset.ts'
import type { Loader } from '../loader.ts'
import { at, equal, get, isTrue, letter, listAt, pick, type RowDict, row, set, textAt, textOf } from '../row-values.ts'
import { oneFile } from '../simple.ts'
import { dictsOf, filterTable, fromList, mapTable, renameColumns } from '../table.ts'

export const kcle = oneFile({ takes: ['path', '*'], change: (entry) => pick(entry, 'input', 'target') })

/** Numbered answers on separate lines. */
export const physics: Loader = {
  reads: 'a folder with {name}/data.jsonl',
  takes: ['path', 'name'],
  async load(data, settings) {
    const table = await readTable(data, joinPath(await data.path(settings.path), settings.name, 'data.jsonl'), 'json')
    const renamed = renameColumns(table, { questions: 'input' })
    return mapTable(renamed, (entry) =>
      set(entry, {
        target: listAt(entry, 'final_answers')
          .map((answer, index) => `Answer ${index + 1}: ${pyStr(answer)}\n`)
          .join(''),
      }),
    )
  },
}

export const phyBench = oneFile({
  file: 'PHYBench-fullques_v1.json',
  as: 'list',
  change: (entry) => row({ input: at(entry, 'content'), target: at(entry, 'answer') }, entry),
})

export const climaQa: Loader = {
  reads: 'a folder with {task}/train.csv: Question, Answer, and Options for the task mcq',
  takes: ['path', 'task'],
  async load(data, settings) {
    const task = settings.text('task')
    const table = renameColumns(await readTable(data, joinPath(await data.path(settings.path), task, 'train.csv'), 'csv'), {
      Answer: 'target',
    })
    return mapTable(table, (entry) => {
      const options = task === 'mcq' && at(entry, 'Options') !== null ? `\n${pyStr(at(entry, 'Options'))}` : ''
      return set(entry, { input: pyStr(at(entry, 'Question')) + options })
    })
  },
}

type Part = { question: string; answer: string; types: PyValue[] }

/** A question with its parts, numbered as Q1, Q2.1 and so on. */
function examPart(part: PyValue, number: string): Part {
  const subs = get(part, 'sub_question', [])
  const own = pyStr(at(part, 'question'))
  if (!isList(subs) || subs.length === 0) {
    return { question: own, answer: pyStr(get(part, 'answer')), types: [pyStr(get(part, 'qa_type'))] }
  }
  let [question, answer] = [own, '']
  const types: PyValue[] = []
  subs.forEach((sub, index) => {
    const name = number === '' ? `${index + 1}` : `${number}.${index + 1}`
    const found = examPart(sub, name)
    const isLeaf = !isTrue(get(sub, 'sub_question', []))
    question += `\nQ${name}: ${found.question}`
    answer += isLeaf ? `\nA${name}: ${found.answer}` : found.answer
    types.push(...found.types)
  })
  return { question, answer, types }
}

export const chemExam = oneFile({
  change(entry) {
    const { question, answer, types } = examPart(entry, '')
    return row({ id: at(entry, 'id'), prompt: question, output: answer, has_img: get(entry, 'has_img'), qa_type: types }, entry)
  },
})

export const matbench = oneFile({
  file: 'matbench_base_fold_0_{task}_test.json',
  reads: 'a folder with matbench_base_fold_0_{task}_test.json: problem, answer',
  takes: ['path', 'task', '*'],
  as: 'list',
  change: (entry) => pick(entry, 'problem', 'answer'),
})

export const earthSilver: Loader = {
  reads: 'a folder laid out as the repository ai-earth/Earth-Silver on the Hugging Face hub',
  takes: ['path', '*'],
  load: async (data, settings) => splitOf(await loadFolder(data, settings.path), 'multiple_choice'),
}

export const smolInstruct: Loader = {
  reads: 'a folder laid out as the repository osunlp/SMolInstruct on the Hugging Face hub',
  takes: ['path', 'name', 'mini_set?'],
  async load(data, settings) {
    const splits = await loadFolder(data, settings.path)
    const read = (split: string) => filterTable(splitOf(splits, split), (entry) => equal(at(entry, 'task'), settings.name))
    const test = read('test')
    const some = () => new PythonRandom(1024).sample(dictsOf(test), Math.min(500, test.rows.length))
    return { validation: read('validation'), test: settings.flag('mini_set') ? fromList(some()) : test }
  },
}

export const rBench: Loader = {
  reads: 'a folder laid out as the repository R-Bench/R-Bench on the Hugging Face hub',
  takes: ['path', 'name', 'subset', '*'],
  async load(data, settings) {
    const table = splitOf(await loadFolder(data, settings.path, { name: `rbench-t_${settings.text('subset')}` }), 'test')
    return fromList(
      dictsOf(table).map((entry) => {
        const options = Object.fromEntries(['A', 'B', 'C', 'D', 'E', 'F'].map((one) => [`RBench_Option_${one}`, at(entry, one)]))
        return row({ RBench_Question_Input: at(entry, 'question'), ...options, target: at(entry, 'answer') })
      }),
    )
  },
}

/** Choices are written `option 1: text`; the answer is `option 2`. */
export const proteinLm: Loader = {
  reads: 'a folder laid out as the repository tsynbio/ProteinLMBench on the Hugging Face hub',
  takes: ['path', '*'],
  async load(data, settings) {
    const table = splitOf(await loadFolder(data, settings.path, { name: 'evaluation' }), 'train')
    return mapTable(table, (entry) => {
      const options = listAt(entry, 'options').map((option) => strip(textOf(option).split(':').at(-1)!))
      const number = Number(/option (\d+)/.exec(textAt(entry, 'answer'))?.[1])
      const shown = options.map((option, index) => `${letter(index)}. ${option}\n`).join('')
      const question = `\nQuestion: ${textAt(entry, 'question')}\nAnswer Choices: \n${shown}`
      return set(entry, { question, options, start: 'A', end: letter(options.length - 1), label: letter(number - 1) })
    })
  },
}

/** The answer format: by its type, or for texts by the task. */
const bioAnswers: Record<string, string> = {
  cls: 'Please use "yes" or "no" as your answer, and put your answer within \\boxed{}.',
  number: 'Please put your answer number within \\boxed{}.',
  'Function EC':
    'Please put the final enzyme within \\boxed{} using "EC number", such as "ECx.x.x.x". Please split by "," if there are multiple enzymes.',
  'Non-coding RNA Function Classification':
    'You should choose from [leader, tRNA, 5_8S_rRNA, ribozyme, CD-box, Intron_gpII, IRES, 5S_rRNA, scaRNA, miRNA, riboswitch, Intron_gpI, HACA-box]. Please put your final answer within \\boxed{}.',
  'Modification Prediction':
    'You should choose from [AtoI, m6A, none, m1A, m5C, m5U, m6Am, m7G, Cm, Am, Gm, Um, Psi]. Please put your final answer within \\boxed{}, split by "," if there are multiple answers.',
}

function bioPrompt(entry: RowDict): string {
  const meta = at(entry, 'meta_data')
  const type = textAt(meta, 'ans_type')
  const prompt = textAt(entry, 'prompt')
  if (type === 'dict') {
    const truth = at(entry, 'ground_truth')
    const keys = isDict(truth) ? dictEntries(truth).map(([key]) => `"${key}": xx`) : []
    return `${prompt}Please put your final answer with \\boxed{} in json format, such as {${keys.join(', ')}}`
  }
  const asked = bioAnswers[type === 'string' ? textAt(meta, 'task') : type]
  if (asked === undefined) throw new BadData(`answers of the type ${type} are not known`)
  return `${prompt}\n${asked}`
}

export const bioData: Loader = {
  reads: 'a folder with {task}.jsonl: prompt, ground_truth, meta_data',
  takes: ['path', 'task', 'mini_set?'],
  async load(data, settings) {
    const rows = await data.rows(joinPath(await data.path(settings.path), `${settings.text('task')}.jsonl`))
    const chosen = settings.flag('mini_set') ? new PythonRandom(1024).sample(rows, Math.floor(rows.length / 10)) : rows
    return fromList(chosen.map((entry) => set(entry, { prompt: bioPrompt(entry) })))
  },
}

export const mp20 = oneFile({ blank: 'skip', change: (entry) => pick(entry, 'id_ddm', 'system_prompt', 'user_input', 'ground_truth') })

/** All .jsonl files of a folder; the subset is the prefix of the file's name. */
export const openSwi: Loader = {
  reads: 'a folder with {name}/*.jsonl: id_ddm, dialogs, ground_truth',
  takes: ['path', 'name'],
  async load(data, settings) {
    const folder = joinPath(await data.path(settings.path), settings.name)
    const rows: RowDict[] = []
    for (const name of await data.names(folder)) {
      if (!name.endsWith('.jsonl')) continue
      for (const entry of await data.rows(joinPath(folder, name))) {
        const truth = listAt(entry, 'ground_truth').map((value) => (typeof value === 'number' ? pyFloat(value) : value))
        rows.push(
          row(
            {
              id: at(entry, 'id_ddm'),
              prompt: at(at(listAt(entry, 'dialogs'), 0), 'content'),
              ground_truth: truth,
              subset: name.split('.')[0]!,
            },
            entry,
          ),
        )
      }
    }
    return fromList(rows)
  },
}

export const molInstructions = oneFile({
  file: '{name}',
  reads: 'a folder with the file "name", a .jsonl file: id_ddm, dialogs',
  takes: ['path', 'name'],
  change(entry) {
    const dialogs = listAt(entry, 'dialogs')
    return row({ id: at(entry, 'id_ddm'), input: at(at(dialogs, 0), 'content'), output: at(at(dialogs, 1), 'content') }, entry)
  },
})

export const seedBench: Loader = {
  reads: 'a folder with the file "data_files", a .json file',
  takes: ['path', 'data_files', '*'],
  load: async (data, settings) => readTable(data, joinPath(await data.path(settings.path), settings.text('data_files')), 'json'),
}

export const eese: Loader = {
  reads: 'a folder with test/{file_name}',
  takes: ['path', 'file_name', '*'],
  async load(data, settings) {
    const table = fromList(await data.rows(joinPath(await data.path(settings.path), 'test', settings.text('file_name')), { blank: 'skip' }))
    return { test: table, train: table }
  },
  hub: (rows) => rows.table('test', 'default'),
}

export const theoremQa3 = oneFile({
  as: 'list',
  change: (entry) =>
    row({ Question: at(entry, 'Question'), Answer: pyStr(at(entry, 'Answer')), Answer_type: at(entry, 'Answer_type') }, entry),
})

export const sciBench = oneFile({
  file: '{name}.json',
  reads: 'a folder with {name}.json: problem_text, answer_number',
  takes: ['path', 'name'],
  as: 'list',
  change: (entry) => row({ question: strip(textAt(entry, 'problem_text')), answer: strip(textAt(entry, 'answer_number')) }, entry),
})
