import { isList, type PyValue, pyStr, stringifyJson } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import { readTable } from '../load-dataset.ts'
import type { Loader } from '../loader.ts'
import type { Data } from '../loader-data.ts'
import { pickledText } from '../read/pickled-text.ts'
import { at, dictOf, type RowDict, set, textOf } from '../row-values.ts'
import { repeatedRows } from '../simple.ts'
import { fromList, mapTable } from '../table.ts'

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
    const table = fromList(repeatedRows(within, settings))
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
