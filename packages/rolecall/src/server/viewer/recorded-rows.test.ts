import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RunTarget } from '../../../../../proof/testing/attack/foreign-runs.ts'
import { openViewed } from '../../cli/view/open-viewed.ts'
import { recordedConfig } from '../../node/runs/recorded-config.ts'
import { readRunInfo } from '../../node/runs/run-layout.ts'
import { openRun } from '../../node/runs/run-reader.ts'
import { exportSite } from './export-site.ts'
import { openViewedConfig } from './open-viewed-config.ts'
import { closeViewed } from './serve-viewer.ts'
import { tokenizerFile } from './viewer-files.ts'

const secret = 'words of a private file'

let target: RunTarget
beforeAll(async () => {
  target = await RunTarget.open()
  writeFileSync(join(target.home, 'private/notes.jsonl'), `{"q":"${secret} 0","a":"x"}\n{"q":"${secret} 1","a":"x"}\n`)
  writeFileSync(join(target.home, 'private/notes.csv'), `q,a\n${secret} 0,x\n${secret} 1,x\n`)
  writeFileSync(join(target.home, 'private/broken.jsonl'), `{"q":"${secret}"\n`)
})
afterAll(() => target.close())

/** A copy of the run whose config was changed. */
function foreignRun(change: (dataset: Record<string, unknown>) => void): string {
  return target.poisoned({
    name: 'config',
    apply(copy) {
      const file = join(copy, 'configs/config.json')
      const config = JSON.parse(readFileSync(file, 'utf8'))
      change(config.datasets[0])
      writeFileSync(file, JSON.stringify(config))
    },
  })
}

let exports = 0

/** Everything that an export and the back end of the page give of a run. */
async function shownOf(folder: string): Promise<string> {
  const viewed = { version: 'test', ...(await openViewed([folder])) }
  const out = join(target.home, `site-${exports++}`)
  mkdirSync(out)
  await exportSite(viewed, join(out, 'site'), { viewer: target.viewer })
  const { run } = viewed.runs![0]!
  const rows = viewed.configs[0]!.rows[0]!
  const settled = await Promise.allSettled([
    rows.list(0),
    rows.rows(0, 1),
    rows.questions([0, 1]),
    run.columns(0, rows),
    run.find(0, { text: secret, isPattern: false }, rows).then(({ places }) => (places.length > 0 ? `${secret} was found` : '')),
  ])
  await closeViewed(viewed)
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const texts = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
  return [...texts, JSON.stringify(settled)].join('\n')
}

test('rows and examples that a run was sent are shown and exported', async () => {
  const shown = await shownOf(foreignRun(() => undefined))
  expect(shown).toContain('2+2=?')
  expect(shown).not.toContain('withheld')
})

test.for<[name: string, (dataset: Record<string, unknown>, file: (name: string) => string) => void]>([
  ['path', (dataset, file) => Object.assign(dataset, { path: file('notes.jsonl') })],
  ['path of a table', (dataset, file) => Object.assign(dataset, { path: file('notes.csv') })],
  ['path of another kind', (dataset, file) => Object.assign(dataset, { path: file('notes.jsonl'), file_type: 'csv' })],
  ['path of a broken file', (dataset, file) => Object.assign(dataset, { path: file('broken.jsonl'), on_bad_row: 'skip' })],
  ['answers_path', (dataset, file) => Object.assign(dataset, { answers_path: file('notes.jsonl') })],
  [
    'train_path',
    (dataset, file) =>
      Object.assign(dataset, {
        train_path: file('notes.jsonl'),
        infer_cfg: {
          prompt_template: { template: '</E>{q}', ice_token: '</E>' },
          ice_template: { template: '{q}' },
          retriever: { type: 'FixKRetriever', fix_id_list: [0, 1] },
          inferencer: { type: 'GenInferencer' },
        },
      }),
  ],
])('somebody else’s run does not show or publish a private file by its %s', async ([, change]) => {
  const folder = foreignRun((dataset) => change(dataset, (name) => join(target.home, 'private', name)))
  expect(await shownOf(folder)).not.toContain(secret)
  // It would, if the rows were those of the user's own config.
  const own = openViewedConfig(await openRun(folder).config(), 0).rows[0]!
  const page = await own.rows(0, 2).catch((error: Error) => error.message)
  if (typeof page !== 'string' && page.notes.length === 0) expect(JSON.stringify(page)).toContain(secret)
  await own.close()
})

test('a row that was changed after the run is not shown, and the others are', async () => {
  const file = join(target.project, 'changed.jsonl')
  writeFileSync(file, '{"q":"1+1=?","a":"x"}\n{"q":"other","a":"x"}\n{"q":"3+3=?","a":"x"}\n')
  const viewed = { version: 'test', ...(await openViewed([foreignRun((dataset) => Object.assign(dataset, { path: file }))])) }
  const rows = viewed.configs[0]!.rows[0]!
  expect((await rows.rows(0, 3)).rows.map(({ row, withheld }) => withheld ?? JSON.parse(row).q)).toEqual(['1+1=?', 'row', '3+3=?'])
  expect((await rows.list(0)).previews[1]).not.toContain('other')
  await closeViewed(viewed)
})

test.skipIf(process.platform !== 'linux')('a program beside a run is not executed as its config by a path of this process', async () => {
  const folder = foreignRun((dataset) => Object.assign(dataset, { eval_cfg: { evaluator: { $function: 'mine' } } }))
  writeFileSync(join(target.project, 'beside.mjs'), 'globalThis.attacked = true; export default { models: [], datasets: [] }')
  const info = { ...readRunInfo(folder), config: '/proc/self/cwd/beside.mjs' }
  const before = process.cwd()
  process.chdir(target.project)
  try {
    await expect(recordedConfig(folder, info)).rejects.toThrow('came with the run, and may be a program')
  } finally {
    process.chdir(before)
  }
  expect(globalThis).not.toHaveProperty('attacked')
})

test('credentials that are linked as the config of a tokenizer are not shown', () => {
  const file = join(target.home, 'private/tokenizer_config.json')
  writeFileSync(file, JSON.stringify({ client_id: 'me', refresh_token: secret }))
  expect(() => tokenizerFile(file)).toThrow('this is not a tokenizer')
  writeFileSync(file, JSON.stringify({ tokenizer_class: 'PreTrainedTokenizerFast' }))
  expect(tokenizerFile(file).length).toBeGreaterThan(0)
})
