import type { Row } from '@rolecall/core/internal/conversation'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { datasetOfTask } from '../../compat/inspect/dataset-of-task.ts'
import { readEvalYaml } from '../../compat/inspect/eval-yaml.ts'
import { parseHubName, showHubName } from '../hub/hub-name.ts'
import { localNamedFile, localSplit } from '../hub/local-paths.ts'
import { readWholeText } from '../read-whole-file.ts'
import { readRows } from '../rows/read-rows.ts'

/** `hf/ORG/DATASET[@REVISION][/TASK]` or `hf/ORG/DATASET[/TASK][@REVISION]`, as Inspect names a task of a dataset's `eval.yaml`. */
const namePattern = /^hf\/([\w.-]+\/[\w.-]+?)(?:@([^/]+))?(?:\/([^/@]+))?(?:@([^/]+))?$/

export function isHubTask(name: string): boolean {
  return name.startsWith('hf/')
}

/** The datasets of the tasks that a dataset on the hub defines. */
export async function evalYamlTasks(name: string, note: (note: Note) => void): Promise<object[]> {
  const [, id, before, task, after] = namePattern.exec(name) ?? []
  if (id === undefined)
    throw new PromptError('bad-task', {
      where: name,
      problem: 'this is not the name of a task on the hub',
      fix: 'write hf/ORG/DATASET, hf/ORG/DATASET/TASK or hf/ORG/DATASET@REVISION',
    })
  const revision = before ?? after
  const dataset = parseHubName(`hf://datasets/${id}${revision === undefined ? '' : `@${revision}`}`)!
  const where = `${showHubName(dataset)} › eval.yaml`
  const file = await localNamedFile(dataset, 'eval.yaml', { note })
  if (file === undefined)
    throw new PromptError('no-task', {
      where: showHubName(dataset),
      problem: 'the dataset has no eval.yaml, which would define tasks',
      fix: `use its rows: path: ${showHubName(dataset)} in a config, or rolecall init --data ${showHubName(dataset)}`,
    })
  const tasks = readEvalYaml(readWholeText(file), where, task)
  const whole = `hf/${id}${revision === undefined ? '' : `@${revision}`}`
  const datasets: object[] = []
  for (const one of tasks) {
    const records: Row[] = []
    // "default" is the only config of datasets that name none.
    const config = one.config === 'default' ? {} : { config: one.config }
    for (const path of await localSplit(dataset, { ...config, split: one.split }, { note }))
      for await (const row of readRows(path)) records.push(row)
    const isOne = tasks.length === 1 && task === undefined
    datasets.push(datasetOfTask({ name: isOne ? whole : `${whole}/${one.id}`, task: one, records, where, note }))
  }
  return datasets
}
