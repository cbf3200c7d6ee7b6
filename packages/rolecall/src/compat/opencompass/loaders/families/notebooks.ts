import { strip } from '@rolecall/core/internal/python'
import { BadData } from '../bad-data.ts'
import { joinPath, normalPath } from '../files.ts'
import type { Loader } from '../loader.ts'
import { type RowDict, row } from '../row-values.ts'
import { fromList } from '../table.ts'

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
