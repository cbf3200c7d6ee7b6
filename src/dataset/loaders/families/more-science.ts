import { dictEntries, isDict, isList, PythonRandom, type PyValue, pyFloat, pyStr, stringifyJson, strip } from '../../../python/index.ts'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import { loadFolder, readTable, splitOf } from '../load-dataset.ts'
import type { Loader } from '../loader.ts'
import { csvFrame } from '../read/csv-frame.ts'
import { oneFile } from '../simple.ts'
import { dictsOf, filterTable, fromList, mapTable, renameColumns } from '../table.ts'
import { at, type Dict, equal, get, isTrue, letter, listAt, pick, rename, row, set, textAt, textOf } from '../values.ts'

export const kcle = oneFile({ takes: ['path', '*'], change: (entry) => pick(entry, 'input', 'target') })

/** Answers numbered and below each other. */
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

export const phyBench: Loader = {
  reads: 'a folder with PHYBench-fullques_v1.json',
  takes: ['path'],
  async load(data, settings) {
    const rows = await data.list(joinPath(await data.path(settings.path), 'PHYBench-fullques_v1.json'))
    return fromList(rows.map((entry) => row({ input: at(entry, 'content'), target: at(entry, 'answer') }, entry)))
  },
}

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

export const matbench: Loader = {
  reads: 'a folder with matbench_base_fold_0_{task}_test.json: problem, answer',
  takes: ['path', 'task', '*'],
  async load(data, settings) {
    const rows = await data.list(joinPath(await data.path(settings.path), `matbench_base_fold_0_${settings.text('task')}_test.json`))
    return fromList(rows.map((entry) => pick(entry, 'problem', 'answer')))
  },
}

function choicesBelow(options: readonly string[]): string {
  return options.map((option, index) => `\n${letter(index)}. ${option}`).join('')
}

/** Four or five choices; one that is empty is none. */
export const medbullets: Loader = {
  reads: 'a folder with medbullets.csv',
  takes: ['path', 'prompt_mode', '*'],
  async load(data, settings) {
    const mode = settings.text('prompt_mode')
    if (mode !== 'zero-shot') throw new BadData('only the prompt mode zero-shot is there')
    const given = await data.path(settings.path)
    const path = (await data.isFolder(given)) ? joinPath(given, 'medbullets.csv') : given
    const { rows } = csvFrame(await data.text(path, { newline: '' }), path, { keepText: true })
    return fromList(
      rows.map((entry) => {
        const all = ['opa', 'opb', 'opc', 'opd', 'ope'].map((key) => textAt(entry, key))
        const options = all.at(-1) === '' ? all.slice(0, 4) : all
        const question = textAt(entry, 'question') + choicesBelow(options)
        return set(entry, {
          question,
          options,
          label: at(entry, 'answer_idx'),
          prompt_mode: mode,
          start: 'A',
          end: letter(options.length - 1),
        })
      }),
    )
  },
}

export const medmcqa: Loader = {
  reads: 'a folder laid out as the repository openlifescienceai/medmcqa on the Hugging Face hub',
  takes: ['path', 'prompt_mode', '*'],
  async load(data, settings) {
    const table = splitOf(await loadFolder(data, settings.path), 'validation')
    return mapTable(table, (entry) => {
      const options = ['opa', 'opb', 'opc', 'opd'].map((key) => pyStr(at(entry, key)))
      set(entry, {
        question: pyStr(at(entry, 'question')) + choicesBelow(options),
        subject_name: pyStr(at(entry, 'subject_name')).replaceAll('_', ' '),
      })
      return set(entry, {
        options,
        label: at('ABCD', at(entry, 'cop') as number),
        prompt_mode: settings.text('prompt_mode'),
        start: 'A',
        end: 'D',
      })
    })
  },
}

export const medXpertQa: Loader = {
  reads: 'a folder laid out as the repository TsinghuaC3I/MedXpertQA on the Hugging Face hub',
  takes: ['path', 'prompt_mode', '*'],
  async load(data, settings) {
    const table = splitOf(await loadFolder(data, settings.path, { name: 'Text' }), 'test')
    return mapTable(table, (entry) => {
      const options = at(entry, 'options')
      const count = isDict(options) ? dictEntries(options).length : 0
      return set(entry, { start: 'A', end: letter(count - 1), prompt_mode: settings.text('prompt_mode') })
    })
  },
}

export const superGpqa: Loader = {
  reads: 'a folder laid out as the repository m-a-p/SuperGPQA on the Hugging Face hub',
  takes: ['path', 'prompt_mode', 'discipline?', 'field?', 'subfield?', '*'],
  async load(data, settings) {
    const mode = settings.text('prompt_mode')
    if (mode !== 'zero-shot') throw new BadData('only the prompt mode zero-shot is there')
    let table = splitOf(await loadFolder(data, settings.path), 'train')
    for (const key of ['discipline', 'field', 'subfield']) {
      const wanted = settings.get(key)
      if (wanted !== undefined && wanted !== null) table = filterTable(table, (entry) => equal(at(entry, key), wanted))
    }
    const intro =
      "Answer the following multiple choice question. There is only one correct answer. The last line of your response should be in the format 'Answer: $LETTER' (without quotes), where LETTER is one of A, B, C, D, E, F, G, H, I, or J."
    return mapTable(table, (entry) => {
      const options = listAt(entry, 'options').map((option, index) => `${letter(index)}) ${pyStr(option)}\n`)
      return set(entry, { infer_prompt: `${intro}\n\n${pyStr(at(entry, 'question'))}\n${options.join('')}`, prompt_mode: mode })
    })
  },
}

export const earthSilver: Loader = {
  reads: 'a folder laid out as the repository ai-earth/Earth-Silver on the Hugging Face hub',
  takes: ['path', '*'],
  load: async (data, settings) => splitOf(await loadFolder(data, settings.path), 'multiple_choice'),
}

export const cruxEval: Loader = {
  reads: 'a folder laid out as the repository cruxeval-org/cruxeval on the Hugging Face hub',
  takes: ['path', '*'],
  load: async (data, settings) => splitOf(await loadFolder(data, settings.path), 'test'),
}

export const smolInstruct: Loader = {
  reads: 'a folder laid out as the repository osunlp/SMolInstruct on the Hugging Face hub',
  takes: ['path', 'name'],
  async load(data, settings) {
    const splits = await loadFolder(data, settings.path)
    const read = (split: string) => filterTable(splitOf(splits, split), (entry) => equal(at(entry, 'task'), settings.name))
    return { validation: read('validation'), test: read('test') }
  },
}

export const mrcr: Loader = {
  reads: 'a folder laid out as the repository giulio98/MRCR_v2_common on the Hugging Face hub',
  takes: ['path', 'subset', '*'],
  async load(data, settings) {
    const table = splitOf(await loadFolder(data, settings.path, { name: settings.text('subset') }), 'test')
    return fromList(
      dictsOf(table).map((entry) => {
        const question = textAt(entry, 'question')
        const prefix = /Prepend (\S+) to/.exec(question)?.[1] ?? ''
        return row({ context: at(entry, 'context'), question, gold: stringifyJson({ answer: at(listAt(entry, 'answers'), 0), prefix }) })
      }),
    )
  },
}

export const truthfulQa: Loader = {
  reads: 'a folder laid out as the repository truthful_qa on the Hugging Face hub',
  takes: ['path', 'name', '*'],
  async load(data, settings) {
    const splits = await loadFolder(data, settings.path, { name: settings.name })
    const answers = ['best_answer', 'correct_answers', 'incorrect_answers']
    return Object.fromEntries(
      Object.entries(splits).map(([split, table]) => [
        split,
        mapTable(table, (entry) => {
          const told = Object.fromEntries(answers.map((key) => [key, at(entry, key)]))
          for (const key of answers) entry.delete(key)
          return set(entry, { reference: { answers: told, question: at(entry, 'question') } })
        }),
      ]),
    )
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

/** How an answer is to be given: by its type, or for texts by the task. */
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

function bioPrompt(entry: Dict): string {
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

/** What is right is written as JSON, whatever it is. */
export const internSandbox: Loader = {
  reads: 'a folder with {sandbox}.jsonl: data_source, prompt, ground_truth',
  takes: ['path', 'sandbox', 'local_mode?'],
  async load(data, settings) {
    const path = joinPath(await data.path(settings.path, { localMode: settings.flag('local_mode') }), `${settings.text('sandbox')}.jsonl`)
    return fromList((await data.rows(path)).map((entry) => set(entry, { ground_truth: stringifyJson(at(entry, 'ground_truth')) })))
  },
}

export const mp20 = oneFile({ blank: 'skip', change: (entry) => pick(entry, 'id_ddm', 'system_prompt', 'user_input', 'ground_truth') })

/** All .jsonl files of a folder; the subset is the start of the file's name. */
export const openSwi: Loader = {
  reads: 'a folder with {name}/*.jsonl: id_ddm, dialogs, ground_truth',
  takes: ['path', 'name'],
  async load(data, settings) {
    const folder = joinPath(await data.path(settings.path), settings.name)
    const rows: Dict[] = []
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

export const molInstructions: Loader = {
  reads: 'a folder with the file "name", a .jsonl file: id_ddm, dialogs',
  takes: ['path', 'name'],
  async load(data, settings) {
    const rows = await data.rows(joinPath(await data.path(settings.path), settings.name))
    return fromList(
      rows.map((entry) => {
        const dialogs = listAt(entry, 'dialogs')
        return row({ id: at(entry, 'id_ddm'), input: at(at(dialogs, 0), 'content'), output: at(at(dialogs, 1), 'content') }, entry)
      }),
    )
  },
}

export const openFinData: Loader = {
  reads: 'a folder with {name}.json',
  takes: ['path', 'name'],
  load: async (data, settings) => fromList(await data.list(joinPath(await data.path(settings.path), `${settings.name}.json`))),
}

export const seedBench: Loader = {
  reads: 'a folder with the file "data_files", a .json file',
  takes: ['path', 'data_files', '*'],
  load: async (data, settings) => readTable(data, joinPath(await data.path(settings.path), settings.text('data_files')), 'json'),
}

export const liveReasonBench: Loader = {
  reads: 'a folder with {version}.json',
  takes: ['path', 'version?', '*'],
  async load(data, settings) {
    const path = joinPath(await data.path(settings.path), `${settings.text('version', 'livereasonbench-20241202')}.json`)
    const table = fromList(await data.list(path))
    return { train: table, test: table }
  },
}

export const eese: Loader = {
  reads: 'a folder with test/{file_name}',
  takes: ['path', 'file_name', '*'],
  async load(data, settings) {
    const table = fromList(await data.rows(joinPath(await data.path(settings.path), 'test', settings.text('file_name')), { blank: 'skip' }))
    return { test: table, train: table }
  },
}

export const ojBench = oneFile({
  takes: ['path', '*'],
  change: (entry) => row({ id: pyStr(at(entry, 'id')), prompt: at(entry, 'prompt') }, entry),
})

/** Texts that are not empty, the first so many where "samples" says so. */
export function texts(column: string, ending: string): Loader {
  return {
    reads: `a folder with {name}.${ending}: ${column}`,
    takes: ['path', 'name', 'samples?', '*'],
    async load(data, settings) {
      const table = await readTable(data, joinPath(await data.path(settings.path), `${settings.name}.${ending}`), 'json')
      const samples = settings.get('samples')
      const first = typeof samples === 'number' ? { columns: table.columns, rows: table.rows.slice(0, samples) } : table
      return filterTable(first, (entry) => isTrue(at(entry, column)))
    },
  }
}

export const ifEval = oneFile({
  takes: ['path', '*'],
  change: (entry) => row({ prompt: at(entry, 'prompt'), reference: new Map(entry) }, entry),
})

export const gsmHard = oneFile({ change: (entry) => row({ question: at(entry, 'input'), answer: pyStr(at(entry, 'target')) }, entry) })

export const svamp = oneFile({
  change(entry) {
    const answer = at(entry, 'Answer')
    const whole = typeof answer === 'string' ? answer : String(Math.trunc(Number(pyStr(answer))))
    return row({ question: `${textAt(entry, 'Body')} ${textAt(entry, 'Question')}`, answer: whole }, entry)
  },
})

export const theoremQa3 = oneFile({
  as: 'list',
  change: (entry) =>
    row({ Question: at(entry, 'Question'), Answer: pyStr(at(entry, 'Answer')), Answer_type: at(entry, 'Answer_type') }, entry),
})

export const gaokaoMath = oneFile({ as: 'list', change: (entry) => set(entry, { extract_answer: pyStr(at(entry, 'extract_answer')) }) })

export const sciBench: Loader = {
  reads: 'a folder with {name}.json: problem_text, answer_number',
  takes: ['path', 'name'],
  async load(data, settings) {
    const rows = await data.list(joinPath(await data.path(settings.path), `${settings.name}.json`))
    return fromList(
      rows.map((entry) => row({ question: strip(textAt(entry, 'problem_text')), answer: strip(textAt(entry, 'answer_number')) }, entry)),
    )
  },
}

/** One column. */
export const hungarianMath: Loader = {
  reads: 'a .csv file with one column',
  takes: ['path'],
  async load(data, settings) {
    const path = await data.path(settings.path)
    const { columns, rows } = csvFrame(await data.text(path, { newline: '' }), path)
    if (columns.length !== 1) throw new BadData(`the file has ${columns.length} columns, not 1`, path)
    return fromList(rows.map((entry) => rename(entry, columns[0]!, 'question')))
  },
}

export const masterMath: Loader = {
  reads: 'a folder with the file "name", a .csv file: id, question, A, B, C, D, answer',
  takes: ['path', 'name'],
  async load(data, settings) {
    const path = joinPath(await data.path(settings.path), settings.name)
    const rows = (await data.csv(path)).flatMap((record, index) => {
      if (record[1] === 'question') return []
      if (record.length < 7) throw new BadData('the row has too few fields', `${path} › row ${index}`)
      const [, question, A, B, C, D, answer] = record as [string, string, string, string, string, string, string]
      return [row({ question, A, B, C, D, answer })]
    })
    return fromList(rows)
  },
}

/** Questions whose answer is a number. */
export const drop: Loader = {
  reads: 'a .json file: an object of passages with qa_pairs',
  takes: ['path', 'only_number?'],
  async load(data, settings) {
    const path = await data.path(settings.path)
    const passages = await data.json(path)
    if (!isDict(passages)) throw new BadData('the file is not an object of passages', path)
    const rows: Dict[] = []
    for (const [, one] of dictEntries(passages))
      for (const pair of listAt(one, 'qa_pairs')) {
        const answers = listAt(pair, 'validated_answers').flatMap((answer) => {
          const number = at(answer, 'number')
          if (isTrue(number)) return [number]
          return settings.flag('only_number', true) ? [] : listAt(answer, 'spans')
        })
        if (answers.length > 0)
          rows.push(row({ prompt: at(one, 'passage'), question: at(pair, 'question'), answers: [...new Set(answers)] }))
      }
    return { validation: fromList(rows) }
  },
}

/** Code with a mask, and whether it stands for max or min. */
export const maxMin: Loader = {
  reads: 'the file "test_path", a list with nl_tokens and pl_tokens, and "answer_path" with idx<CODESPLIT>max or min',
  takes: ['test_path', 'answer_path?'],
  async load(data, settings) {
    const answers = new Map<string, string>()
    if (settings.has('answer_path') && settings.get('answer_path') !== null) {
      for (const line of await data.lines(await data.path(settings.text('answer_path')))) {
        const [key, value] = strip(line).split('<CODESPLIT>')
        answers.set(key!, value === 'max' ? 'A' : 'B')
      }
    }
    const rows = await data.list(await data.path(settings.text('test_path')))
    return fromList(
      rows.map((entry) => {
        const words = (key: string) =>
          listAt(entry, key)
            .map((one) => textOf(one))
            .join(' ')
        const answer = answers.size > 0 ? answers.get(pyStr(at(entry, 'idx'))) : ''
        if (answer === undefined) throw new BadData(`there is no answer for ${pyStr(at(entry, 'idx'))}`)
        return row({ nl_tokens: words('nl_tokens'), pl_tokens: words('pl_tokens'), answer }, entry)
      }),
    )
  },
}
