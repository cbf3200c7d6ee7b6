import { isList, type PyValue, pyRepr, pyStr, stringifyJson } from '../../../../base/python/index.ts'
import { evalPlusColumns } from '../../evaluators/code/evalplus-program.ts'
import { BadData, MissingData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import { readTable } from '../load-dataset.ts'
import type { Loader, Settings } from '../loader.ts'
import type { Data } from '../loader-data.ts'
import { decode } from '../read/decode.ts'
import { gunzip } from '../read/gunzip.ts'
import { pickledText } from '../read/pickled-text.ts'
import { at, dictOf, equal, listAt, pick, type RowDict, row, set, textOf } from '../row-values.ts'
import { oneFile } from '../simple.ts'
import { filterTable, fromList, mapTable, type Table } from '../table.ts'

function repeats(settings: Settings): number {
  return Number(pyRepr(settings.get('num_repeats') ?? 1))
}

function repeated(rows: readonly RowDict[], times: number): RowDict[] {
  return rows.flatMap((one) => Array.from({ length: times }, () => one))
}

/** Rows with the task of EvalPlus that has their id: its inputs are not in OpenCompass's files. */
async function withEvalPlus(data: Data, rows: readonly RowDict[], of: 'HumanEval' | 'Mbpp'): Promise<RowDict[]> {
  const tasks = new Map((await data.rows(await evalPlusFile(data, of))).map((task) => [pyStr(at(task, 'task_id')), task]))
  return rows.map((entry) => {
    const id = pyStr(at(entry, 'task_id'))
    const task = tasks.get(id)
    if (task === undefined) throw new BadData(`EvalPlus has no task ${id}`)
    return set(entry, { evalplus: pick(task, ...evalPlusColumns) })
  })
}

/** The file that EvalPlus reads: that of its environment variable, or the newest that it has downloaded. */
async function evalPlusFile({ files }: Data, of: 'HumanEval' | 'Mbpp'): Promise<string> {
  const variable = `${of.toUpperCase()}_OVERRIDE_PATH`
  const { HOME: home = '~', [variable]: given } = files.environment ?? {}
  if (given) return given
  const folder = joinPath(home, '.cache/evalplus')
  const name = ((await files.names(folder)) ?? []).findLast((one) => one.startsWith(`${of}Plus-v`) && one.endsWith('.jsonl'))
  if (name !== undefined) return joinPath(folder, name)
  throw new MissingData(`the tests of EvalPlus are not here: ${of}Plus.jsonl, by the variable ${variable} or in ${folder}`, folder)
}

export const humaneval: Loader = {
  reads: 'a .jsonl file with the problems of HumanEval',
  takes: ['path', 'num_repeats?', 'local_mode?', 'with_evalplus?'],
  async load(data, settings) {
    const path = await data.path(settings.path, { localMode: settings.flag('local_mode') })
    const rows = await data.rows(path)
    return fromList(repeated(settings.flag('with_evalplus') ? await withEvalPlus(data, rows, 'HumanEval') : rows, repeats(settings)))
  },
  hub: async (rows, settings) => fromList(repeated(await rows.rows('test', 'openai_humaneval'), repeats(settings))),
}

export const humanevalOtherLanguages = oneFile({
  reads: 'a .jsonl file with the problems of HumanEval in another language',
  takes: ['path', 'num_repeats?', 'local_mode?'],
  localMode: true,
  change: (entry, _, settings) =>
    repeated([pick(entry, 'prompt', 'task_id', 'test', 'entry_point', 'canonical_solution')], repeats(settings)),
})

const humanevalXLanguages = ['cpp', 'go', 'java', 'js', 'python', 'rust']

export const humanevalX: Loader = {
  reads: 'a folder with humanevalx_{language}.jsonl.gz',
  takes: ['path', 'language', '*'],
  async load(data, settings) {
    const language = settings.text('language')
    if (!humanevalXLanguages.includes(language)) throw new BadData(`"language" is none of ${humanevalXLanguages.join(', ')}`)
    const path = joinPath(await data.path(settings.path), `humanevalx_${language}.jsonl.gz`)
    const lines = decode(await gunzip(await data.bytes(path), path), path).split('\n')
    return fromList(
      lines.flatMap((line, index) =>
        line.trim() === '' ? [] : [dictOf(data.parse(line, `${path}:${index + 1}`), `${path}:${index + 1}`)],
      ),
    )
  },
}

export const humanevalMulti: Loader = {
  reads: 'a folder with humaneval-{language}-{version}.jsonl',
  takes: ['path', 'language', 'version', 'num_repeats?', 'local_mode?'],
  async load(data, settings) {
    const path = await data.path(settings.path, { localMode: settings.flag('local_mode') })
    const rows = await data.rows(joinPath(path, `humaneval-${settings.text('language')}-${settings.text('version')}.jsonl`))
    return fromList(repeated(rows, repeats(settings)))
  },
}

const multiplELanguages = 'adb clj cpp cs d dart elixir go hs java jl js lua ml php pl py r rb rkt rs scala sh swift ts'.split(' ')

export const multiplE: Loader = {
  reads: 'a folder with {tag}-{language}.jsonl',
  takes: ['path', 'language', 'num_repeats?', 'tag?', 'local_mode?'],
  async load(data, settings) {
    const path = await data.path(settings.path, { localMode: settings.flag('local_mode') })
    const language = settings.text('language')
    if (!multiplELanguages.includes(language)) throw new BadData(`"language" is none of ${multiplELanguages.join(', ')}`)
    const rows = await data.rows(joinPath(path, `${settings.text('tag', 'humaneval')}-${language}.jsonl`))
    return fromList(repeated(rows, repeats(settings)))
  },
}

/** All rows, repeated this many times as a whole. */
function overAgain({ columns, rows }: Table, times: number): Table {
  return { columns, rows: Array.from({ length: times }, () => rows).flat() }
}

/** `train[from:to]` of what `load_dataset` reads; a start beyond the end is an error. */
function slice(table: Table, from: number, to?: number): Table {
  if (from >= table.rows.length) throw new BadData(`there are only ${table.rows.length} rows, and those from ${from} on are asked for`)
  return { columns: table.columns, rows: table.rows.slice(from, to) }
}

function tests(list: PyValue): string {
  return isList(list) ? list.map((one) => textOf(one)).join('\n') : textOf(list)
}

function mbppLoader(first: number, last: number | undefined, change: (entry: RowDict) => RowDict, subset = 'full'): Loader {
  const splits = (table: Table, settings: Settings) => ({
    train: mapTable(slice(table, 0, first), change),
    test: overAgain(mapTable(slice(table, first, last), change), repeats(settings)),
  })
  return {
    reads: 'a .jsonl file with the problems of MBPP',
    takes: ['path', 'num_repeats?', 'local_mode?'],
    async load(data, settings) {
      const path = await data.path(settings.path, { localMode: settings.flag('local_mode') })
      return splits(await readTable(data, path, 'json'), settings)
    },
    hub: async (rows, settings) => splits(await rows.table('train', subset), settings),
  }
}

export const mbpp = mbppLoader(10, 510, (entry) => {
  const given = at(entry, 'test_list')
  return set(entry, { test_case: given, test_list: tests(given), test_list_2: tests(given) })
})

export const mbpp2 = mbppLoader(10, 510, (entry) => {
  const given = at(entry, 'test_list')
  return set(entry, {
    test_case: given,
    test_list: tests(given),
    test_column: { test_list_2: tests(given), task_id: at(entry, 'task_id') },
  })
})

/** All rows are evaluated, each repeated `num_repeats` times consecutively. */
export const mbppPlus: Loader = {
  reads: 'a .jsonl file with the problems of MBPP+',
  takes: ['path', 'num_repeats?', 'with_evalplus?'],
  async load(data, settings) {
    const rows = (await data.rows(await data.path(settings.path))).map((entry) => {
      const given = at(entry, 'test_list')
      const list = tests(given)
      const column = { test_list_2: list, task_id: at(entry, 'task_id') }
      return set(entry, { test_case: given, test_list: list, test_list_2: list, test_column: column })
    })
    return fromList(repeated(settings.flag('with_evalplus') ? await withEvalPlus(data, rows, 'Mbpp') : rows, repeats(settings)))
  },
}

export const mbppSanitized = mbppLoader(
  7,
  264,
  (entry) => {
    const text = at(entry, 'prompt')
    entry.delete('prompt')
    const list = tests(at(entry, 'test_list'))
    return set(entry, { text, test_list: list, test_list_2: list, test_column: { test_list_2: list, task_id: at(entry, 'task_id') } })
  },
  'sanitized',
)

/** Problems of one difficulty, the first five as examples. */
export const lcBench: Loader = {
  reads: 'a .jsonl file with the problems of LCBench',
  takes: ['path', 'num_repeats?', 'difficulty?', 'local_mode?'],
  async load(data, settings) {
    const path = await data.path(settings.path, { localMode: settings.flag('local_mode') })
    const table = await readTable(data, path, 'json')
    const difficulty = settings.text('difficulty', 'ALL')
    const read = (part: Table) => {
      const kept = difficulty === 'ALL' ? part : filterTable(part, (entry) => equal(at(entry, 'Difficulty'), difficulty))
      return mapTable(kept, (entry) => {
        const given = at(entry, 'test_list')
        return set(entry, {
          test_case: given,
          test_list: tests(given),
          test_column: { test_list_2: tests(given), task_id: at(entry, 'Contest id') },
        })
      })
    }
    return { train: read(slice(table, 0, 5)), test: overAgain(read(slice(table, 5)), repeats(settings)) }
  },
}

export const bigCodeBench: Loader = {
  reads: 'a folder with BigCodeBench-{release_version}.jsonl or BigCodeBench-Hard-{release_version}.jsonl',
  takes: ['path?', 'local_mode?', 'release_version?', 'dataset_version?'],
  async load(data, settings) {
    const version = settings.text('dataset_version', 'full')
    if (version !== 'full' && version !== 'hard') throw new BadData('"dataset_version" is neither full nor hard')
    const path = await data.path(settings.text('path', 'opencompass/bigcodebench'), { localMode: settings.flag('local_mode') })
    const name = `BigCodeBench-${version === 'hard' ? 'Hard-' : ''}${settings.text('release_version', 'v0.1.2')}.jsonl`
    const table = fromList(await data.rows(joinPath(path, name)))
    return { train: table, test: table }
  },
}

const starterCode = 'You will use the following starter code to write the solution to the problem and enclose your code within delimiters.'
const noStarterCode =
  'Read the inputs from stdin solve the problem and write the answer to stdout (do not directly test on the sample inputs). Enclose your code within delimiters as follows.'

/** LiveCodeBench problems with their tests in one column. */
export const codeGeneration: Loader = {
  reads: 'a folder with test.jsonl (release_v1), test2.jsonl (release_v2) and so on',
  takes: ['path?', 'local_mode?', 'release_version?', 'start_date?', 'end_date?', 'num_repeats?'],
  async load(data, settings) {
    const path = await data.path(settings.text('path', 'opencompass/code_generation_lite'), { localMode: settings.flag('local_mode') })
    const rows: RowDict[] = []
    for (const entry of await releaseRows(data, path, settings.text('release_version', 'release_v1'))) {
      const starter = textOf(at(entry, 'starter_code'))
      const prompt =
        starter !== ''
          ? `### Format: ${starterCode}\n\`\`\`python\n${starter}\n\`\`\`\n\n`
          : `### Format: ${noStarterCode}\n\`\`\`python\n# YOUR CODE HERE\n\`\`\`\n\n`
      const read = (key: string) => data.parse(textOf(at(entry, key)), `${path} › ${key}`)
      const cases = [
        ...listOfTests(read('public_test_cases')),
        ...listOfTests(await privateTests(data, textOf(at(entry, 'private_test_cases')), path)),
      ]
      const metadata = dictOf(read('metadata'))
      const sample = {
        inputs: cases.map((one) => at(one, 'input')),
        outputs: cases.map((one) => at(one, 'output')),
        fn_name: metadata.get('func_name') ?? null,
      }
      rows.push(set(entry, { format_prompt: prompt, evaluation_sample: stringifyJson(sample) }))
    }
    const [from, to] = [settings.get('start_date'), settings.get('end_date')]
    const within = rows.filter((entry) => {
      const date = textOf(at(entry, 'contest_date'))
      return (typeof from !== 'string' || date >= from) && (typeof to !== 'string' || date <= `${to}T00:00:00`)
    })
    const table = fromList(repeated(within, repeats(settings)))
    return { test: table, train: table }
  },
}

/** Private tests are JSON, or JSON pickled by Python. */
async function privateTests(data: Data, text: string, path: string): Promise<PyValue> {
  const place = `${path} › private_test_cases`
  return data.parse(/^\s*[[{]/.test(text) ? text : await pickledText(text, place), place)
}

function listOfTests(value: PyValue): readonly PyValue[] {
  if (isList(value)) return value
  throw new BadData('the tests are not a list')
}

async function releaseRows(data: Data, path: string, release: string): Promise<RowDict[]> {
  const last = /^release_v(\d)$/.exec(release)?.[1]
  if (last === undefined) throw new BadData(`"release_version" ${release} is not known`)
  const rows: RowDict[] = []
  for (let number = 1; number <= Number(last); number++)
    rows.push(...(await data.rows(joinPath(path, `test${number > 1 ? number : ''}.jsonl`))))
  return rows
}

const executionExamples = [
  ['def repeatNumber(number : int) -> int:\n    return number', 'repeatNumber(number = 17)', '17'],
  ['def addCharacterA(string : str) -> str:\n    return string + "a"', 'addCharacterA(string = "x9j")', '"x9ja"'],
]

/** The result of a function call. */
export const codeExecution: Loader = {
  reads: 'a folder with test.jsonl: code, input, output; `cot` must be false',
  takes: ['path?', 'local_mode?', 'cot?'],
  async load(data, settings) {
    if (settings.flag('cot')) throw new BadData('the prompt with reasoning (cot: true) is not supported; only cot: false is')
    const path = await data.path(settings.text('path', 'opencompass/execution-v2'), { localMode: settings.flag('local_mode') })
    const examples = executionExamples.map(
      ([code, call, value]) => `[PYTHON]\n${code}\nassert ${call} == ??\n[/PYTHON]\n[ANSWER]\nassert ${call} == ${value}\n[/ANSWER]\n\n`,
    )
    const intro =
      'You are given a Python function and an assertion containing an input to the function. Complete the assertion with a literal (no unsimplified expressions, no function calls) containing the output when executing the provided code on the given input, even if the function is incorrect or incomplete. Do NOT output any extra information. Provide the full assertion with the correct output in [ANSWER] and [/ANSWER] tags, following the examples.\n\n'
    const table = mapTable(await readTable(data, joinPath(path, 'test.jsonl'), 'json'), (entry) => {
      const [code, input] = [pyStr(at(entry, 'code')), pyStr(at(entry, 'input'))]
      const prompt = `${intro}${examples.join('')}[PYTHON]\n${code}\nassert ${input} == ??\n[/PYTHON]\n[ANSWER]\n`
      return set(entry, {
        prompt,
        evaluation_sample: stringifyJson({ code: at(entry, 'code'), input: at(entry, 'input'), output: at(entry, 'output') }),
      })
    })
    return { test: table, train: table }
  },
}

/** Problems with one test case whose output is the answer. */
export const testOutput: Loader = {
  reads: 'a folder with test.jsonl: question_content, starter_code, test',
  takes: ['path?', 'local_mode?'],
  async load(data, settings) {
    const path = await data.path(settings.text('path', 'opencompass/test_generation'), { localMode: settings.flag('local_mode') })
    const table = mapTable(await readTable(data, joinPath(path, 'test.jsonl'), 'json'), (entry) => {
      const first = at(data.parse(textOf(at(entry, 'test')), path), 0)
      const [input, output] = [textOf(at(first, 'input')), at(first, 'output')]
      const starter = textOf(at(entry, 'starter_code'))
      const name = functionIn(starter)
      const call = input.trim().split('\n').join(', ')
      const content = textOf(at(entry, 'question_content'))
      const prompt = `Problem:\n${content}Function:\n\`\`\`\n${starter}\n\`\`\`\nPlease complete the following test case:\n\n\`\`\`\nassert ${name}(${call}) == # TODO\n\`\`\`\n`
      return set(entry, {
        testcase_input: input,
        testcase_output: output,
        prompt,
        evaluation_sample: stringifyJson({ input: content, output }),
      })
    })
    return { test: table, train: table }
  },
}

/** The name of the function that the starter code defines; it must have a body, as Python's parser requires. */
function functionIn(starter: string): string {
  const lines = starter.split('\n').filter((line) => line.trim() !== '')
  const at = lines.findIndex((line) => /^\s*(?:async\s+)?def\s+\w+/.test(line))
  const name = /def\s+(\w+)/.exec(lines[at] ?? '')?.[1]
  const indent = (line: string) => /^\s*/.exec(line)![0].length
  const isBare = at >= 0 && /:\s*$/.test(lines[at]!) && (lines[at + 1] === undefined || indent(lines[at + 1]!) <= indent(lines[at]!))
  if (name === undefined || isBare) throw new BadData('the starter code is not Python with one function')
  return name
}

/** A JSON list of problems, or JSONL. */
export const humanevalPro: Loader = listOrLines({ takes: ['path', 'num_repeats?', 'local_mode?'] })
export const mbppPro: Loader = oneFile({ takes: ['path', 'num_repeats?', 'local_mode?'] })

function listOrLines({ takes }: { takes: string[] }): Loader {
  return {
    reads: 'a .json file with a list of problems',
    takes,
    async load(data, settings) {
      const path = await data.path(settings.path, { localMode: settings.flag('local_mode') })
      return fromList(repeated(await data.list(path), repeats(settings)))
    },
  }
}

export const liveCodeBenchPro = oneFile({
  change: (entry) => row({ id_ddm: at(entry, 'id_ddm'), problem: at(at(listAt(entry, 'dialogs'), 0), 'content') }, entry),
})

/** Expands the literals of the Python code corpus. */
export const py150 = oneFile({
  change(entry) {
    const read = (key: string) =>
      textOf(at(entry, key))
        .replaceAll('<EOL>', '\n')
        .replace(
          /<(STR_LIT|NUM_LIT|CHAR_LIT)(?::([^>]*))?>/g,
          (_, kind: string, value?: string) => value ?? (kind === 'NUM_LIT' ? '0' : ''),
        )
    return row({ input: read('input').replaceAll('<s>', ''), gt: read('gt') }, entry)
  },
})

const sciCodeFile = (settings: Settings) => (settings.flag('with_bg') ? 'SciCode_datasets_with_background.json' : 'SciCode_datasets.json')

export const sciCode: Loader = {
  reads: 'a folder with SciCode_datasets.json, or SciCode_datasets_with_background.json ("with_bg")',
  takes: ['path', 'with_bg', '*'],
  load: async (data, settings) => fromList(await data.list(joinPath(await data.path(settings.path), sciCodeFile(settings)))),
}
