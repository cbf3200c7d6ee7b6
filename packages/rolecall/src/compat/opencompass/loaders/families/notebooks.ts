import { isDict, isList, type PyValue, strip } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { joinPath, normalPath } from '../files.ts'
import type { Loader } from '../loader.ts'
import type { Data } from '../loader-data.ts'
import { at, get, isTrue, listAt, listOf, type RowDict, row, textOf } from '../row-values.ts'
import { fromList } from '../table.ts'

/** CIBench notebooks as dialogues: the request, then the code for it. Unreadable notebooks are dropped, as in OpenCompass. */
export const ciBench: Loader = {
  reads: 'a folder with .ipynb notebooks, also in folders of it',
  takes: ['path', 'internet_check?'],
  async load(data, settings) {
    if (settings.flag('internet_check')) throw new BadData('"internet_check" asks the network, which is not done here')
    const rows: RowDict[] = []
    for (const path of await notebooks(data, await data.path(settings.path))) {
      try {
        rows.push(dialogue(await data.json(path), path))
      } catch (error) {
        if (!(error instanceof BadData)) throw error
      }
    }
    return fromList(rows)
  },
}

/** The files of a folder come before those of its subfolders. */
async function notebooks(data: Data, folder: string): Promise<string[]> {
  const found: string[] = []
  const folders: string[] = []
  for (const name of await data.names(folder)) {
    const path = joinPath(folder, name)
    if (await data.isFolder(path)) folders.push(path)
    else if (name.includes('.ipynb')) found.push(path)
  }
  for (const one of folders) found.push(...(await notebooks(data, one)))
  return found
}

function dialogue(notebook: PyValue, experiment: string): RowDict {
  const metadata = at(notebook, 'metadata')
  const modules = [...listOf(get(metadata, 'modules', []) ?? [])]
  if (modules.length > 0 && modules.length !== listAt(metadata, 'step_types').length)
    throw new BadData('modules and step_types are not as many')
  const [asked, code, outputs, tags]: [{ text: string; thought: string }[], string[], PyValue[], string[]] = [[], [], [], []]
  for (const cell of listAt(notebook, 'cells')) {
    const source = listAt(cell, 'source')
      .map((line) => textOf(line))
      .join('')
    if (at(cell, 'cell_type') === 'markdown') asked.push(question(strip(source), modules.shift(), experiment))
    else if (at(cell, 'cell_type') === 'code') {
      code.push(source)
      const { tag, output } = lastOutput(at(cell, 'outputs'))
      tags.push(tag)
      outputs.push(output)
    }
  }
  const turns = asked.slice(0, code.length).flatMap(({ text, thought }, index) => [
    { role: 'user', content: text },
    { role: 'assistant', content: `${thought}**split**${code[index]!}` },
  ])
  return row({ experiment, questions: turns, references: { outputs, tags, metadata, experiment } })
}

function question(source: string, modules: PyValue | undefined, experiment: string): { text: string; thought: string } {
  const [text = '', thought = ' '] = source.split('\n\nThought: ')
  if (modules === undefined) return { text: `${strip(text)}\n`, thought }
  const names = textOf(modules)
    .split('&')
    .map((name) => strip(name))
  const used = experiment.includes('chinese') ? `请用 ${names.join(' 和 ')} 模块.` : `Please use ${names.join(' and ')} modules.`
  return { text: `${strip(text + used)}\n`, thought }
}

/** The last output of a cell: an image, a text, or nothing comparable. */
function lastOutput(outputs: PyValue): { tag: string; output: PyValue } {
  const last = isList(outputs) ? outputs.at(-1) : undefined
  const type = isDict(last) ? get(last, 'output_type') : null
  const found = type === 'display_data' || type === 'execute_result' ? get(last, 'data') : null
  if (isDict(found) && isTrue(get(found, 'image/png'))) return { tag: 'vis', output: at(found, 'image/png') }
  const text = isDict(found) ? get(found, 'text/plain') : type === 'stream' ? get(last, 'text') : null
  if (isList(text)) return { tag: 'general', output: text.map((line) => textOf(line)).join('') }
  return { tag: 'exec', output: null }
}

const libraries = ['Pandas', 'Numpy', 'Matplotlib', 'Tensorflow', 'Scipy', 'Sklearn', 'Pytorch']

/** DS-1000 problems, each in a separate folder. */
export const ds1000: Loader = {
  reads:
    'a folder with {libs}/{mode}/q0, q1…, each with .cfg, prompt.txt, reference_code.txt, code_context.txt, test_code.py, test_generate_pickle.py',
  takes: ['path', 'libs?', 'mode?'],
  async load(data, settings) {
    const library = settings.text('libs', 'all')
    if (!libraries.includes(library)) throw new BadData(`"libs" is none of ${libraries.join(', ')}`)
    const folder = normalPath(joinPath(await data.path(settings.path), library, settings.text('mode', 'Insertion')))
    const names = (await data.names(folder)).filter((name) => /^q\d+$/.test(name)).sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)))
    const rows: RowDict[] = []
    for (const name of names) {
      const path = joinPath(folder, name)
      const text = (file: string) => data.text(joinPath(path, file))
      const config = settingsIn(await text('.cfg'), joinPath(path, '.cfg'))
      const value = (key: string) => {
        const found = config.get(key)
        if (found === undefined) throw new BadData(`there is no "${key}"`, joinPath(path, '.cfg'))
        return found
      }
      rows.push(
        row({
          lib: value('lib'),
          perturbation_type: value('perturbation_type'),
          perturbation_origin_id: value('perturbation_origin_id'),
          reference_code: await text('reference_code.txt'),
          test_code: await text('test_code.py'),
          test_generate_pickle: await text('test_generate_pickle.py'),
          prompt: await text('prompt.txt'),
          test_column: {
            problem_path: path,
            code_context: await text('code_context.txt'),
            test_case_cnt: value('test_case_cnt'),
            test_type: value('test_type'),
          },
        }),
      )
    }
    return { test: fromList(rows) }
  },
}

/** The keys of an .ini file, ignoring sections. */
function settingsIn(text: string, path: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [index, line] of text.split('\n').entries()) {
    if (strip(line) === '' || /^\s*[#;]/.test(line) || /^\[.*\]\s*$/.test(line)) continue
    const [, key, value] = /^([^=:]+?)\s*[=:]\s*(.*)$/.exec(line) ?? []
    if (key === undefined) throw new BadData('this is neither a section nor a setting', `${path}:${index + 1}`)
    found.set(key.toLowerCase(), strip(value!))
  }
  return found
}
