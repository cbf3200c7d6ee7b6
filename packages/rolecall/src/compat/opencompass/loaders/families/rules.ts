import { isDict, isList, type PyValue } from '@rolecall/core/internal/python'
import { BadData, MissingData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import type { Loader } from '../loader.ts'
import type { Data } from '../loader-data.ts'
import { at, dictOf, equal, listAt, type RowDict, row, textAt, textOf } from '../row-values.ts'
import { fromList } from '../table.ts'
import { korBenchHeads } from './korbench-prompts.ts'

/** Questions that follow rules from a separate file, or from several (`mixed`). */
export const korBench: Loader = {
  reads: 'a folder with {category}/rule.jsonl, sample.jsonl and, for 3_shot, three-shot.jsonl; for mixed with mixed/{category}.jsonl',
  takes: ['path', 'prompt_mode', 'category', '*'],
  async load(data, settings) {
    const path = await data.path(settings.path)
    const [mode, category] = [settings.text('prompt_mode'), settings.text('category')]
    if (mode === 'mixed') return fromList(await mixedRows(data, path, category))
    if (mode !== '0_shot' && mode !== '3_shot') throw new BadData('"prompt_mode" is none of 0_shot, 3_shot, mixed')
    const head = korBenchHeads[category]
    if (head === undefined || category === 'mixed') throw new BadData(`KOR-Bench has no category "${category}"`)
    const rules = await entries(data, joinPath(path, category, 'rule'))
    const samples = await entries(data, joinPath(path, category, 'sample'))
    const shown = mode === '3_shot' ? await entries(data, joinPath(path, category, 'three-shot')) : []
    const rows = samples.flatMap((sample) => {
      const id = at(sample, 'rule_id')
      const rule = rules.find((one) => equal(at(one, 'idx'), id))
      // A question without its rule is dropped.
      if (!rule) return []
      const examples = shown.filter((one) => equal(at(one, 'rule_id'), id))
      if (mode === '3_shot' && examples.length < 3)
        throw new BadData('a rule has fewer than three examples', joinPath(path, category, 'three-shot'))
      const asked = examples
        .slice(0, 3)
        .map((one) => `### Question:\n${textAt(one, 'question')}\n\n### Answer:\n${textAt(one, 'answer')}\n\n`)
      const content = textAt(rule, 'rule_content')
      const question = textAt(sample, 'question')
      return [
        row(
          {
            rule_content: content,
            question,
            answer: at(sample, 'answer'),
            prompt: `${head}${content}\n\n${asked.join('')}### Question:\n${question}\n\n### Answer:\n`,
            rule_id: at(rule, 'idx'),
            prompt_mode: mode,
            category,
          },
          sample,
        ),
      ]
    })
    return fromList(rows)
  },
}

async function mixedRows(data: Data, path: string, category: string): Promise<RowDict[]> {
  const rows: RowDict[] = []
  /** `cipher_3` is the third cipher. */
  const named = async (name: PyValue, file: string) => {
    const text = textOf(name)
    const cut = text.lastIndexOf('_')
    const all = await entries(data, joinPath(path, text.slice(0, cut), file))
    const found = all.find((one) => equal(at(one, 'idx'), text.slice(cut + 1)))
    if (!found) throw new BadData(`there is no ${file} "${text}"`, joinPath(path, text.slice(0, cut), file))
    return found
  }
  for (const entry of await entries(data, joinPath(path, 'mixed', category))) {
    const [rules, questions]: [string[], string[]] = [[], []]
    for (const name of listAt(entry, 'rule_list'))
      rules.push(`Rule ${rules.length + 1}: ${textAt(await named(name, 'rule'), 'rule_content')}`)
    for (const name of listAt(entry, 'question_list'))
      questions.push(`Question ${questions.length + 1}: ${textAt(await named(name, 'sample'), 'question')}`)
    const prompt = `${korBenchHeads.mixed}${rules.join('\n')}\n\n### Questions:\n${questions.join('\n')}\n\n### Answers:\n`
    rows.push(
      row(
        {
          rule_list: at(entry, 'rule_list'),
          question_list: at(entry, 'question_list'),
          prompt,
          prompt_mode: 'mixed',
          answer: '',
          base_path: path,
        },
        entry,
      ),
    )
  }
  return rows
}

/** The objects of a JSON list or a JSONL file. */
async function entries(data: Data, path: string): Promise<RowDict[]> {
  if (await data.exists(`${path}.jsonl`)) return data.rows(`${path}.jsonl`)
  if (!(await data.exists(`${path}.json`))) throw new MissingData(`there is neither ${path}.jsonl nor ${path}.json`, path)
  const value = await data.json(`${path}.json`)
  return (isList(value) ? value : isDict(value) ? [value] : []).map((one, index) => dictOf(one, `${path}.json › ${index}`))
}
