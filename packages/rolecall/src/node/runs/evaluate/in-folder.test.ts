import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../../../proof/testing/folder-with.ts'
import type { RowRecord } from '../../../evaluation/run/record/run-record.ts'
import type { RemoteWorkers } from '../../../evaluation/run/run-types.ts'
import { askRun } from '../control/ask-run.ts'
import { ownAddress } from '../control/control-address.ts'
import type { EvaluationOptions, OpenQueue } from '../evaluation-options.ts'
import { nodeEnvironment } from '../node-environment.ts'
import { runFiles } from '../run-layout.ts'
import { inFolder, type RunInFolder, type SentRows } from './in-folder.ts'
import { onQueue } from './on-queue.ts'
import { prepareRun } from './prepared-run.ts'
import { underControl } from './under-control.ts'

const config = {
  models: [{ abbr: 'm', type: 'openai', path: 'm', format: 'plain' }],
  datasets: [
    {
      abbr: 'sums',
      rows: [{ question: '1+1=?', answer: '2' }],
      reader_cfg: { input_columns: ['question'], output_column: 'answer' },
      infer_cfg: { prompt_template: { template: '{question}' } },
    },
  ],
}
const record: RowRecord = {
  ...{ id: 0, key: 'k', row_hash: 'r', gold: '2', score: 1 },
  ...{ prompt_hash: 'p', prediction: '2', finish: 'stop', milliseconds: 1 },
  tokens: { prompt: 2, reused: 0, reply: 1 },
  examples: { used: 0, dropped: 0 },
}

async function prepared(workDir: string, given: EvaluationOptions = {}) {
  const environment = { ...nodeEnvironment(workDir), openModel: () => Promise.reject(new Error('no row is sent')) }
  return prepareRun(config as never, { workDir, environment, cache: false, ...given })
}

const sent: SentRows = { kept: 3, remarks: ['a remark'] }
const fail = () => Promise.reject(new Error('the server is down'))

test('the steps run in a locked folder, which has a summary afterwards', async () => {
  const run = await inFolder(await prepared(folderWith({})), async ({ folder }) => {
    expect(existsSync(join(folder.path, runFiles.lock))).toBe(true)
    return sent
  })
  expect(run).toMatchObject({ kept: 3, remarks: ['a remark'], unfinished: 1 })
  expect(existsSync(join(run.folder, runFiles.lock))).toBe(false)
  expect(JSON.parse(readFileSync(join(run.folder, 'summary/summary.json'), 'utf8'))).toMatchObject({ unfinished: true, results: [] })
})

test('a step that fails leaves no folder if nothing is recorded, and what is recorded with a summary otherwise', async () => {
  const workDir = folderWith({})
  await expect(inFolder(await prepared(workDir), fail)).rejects.toThrow('the server is down')
  expect(readdirSync(workDir)).toEqual([])
  const recordOne = ({ folder, pairs }: RunInFolder) => {
    folder.storeFor(pairs[0]!, 'key').add(record)
    return fail()
  }
  await expect(inFolder(await prepared(workDir), recordOne)).rejects.toThrow('the server is down')
  const [folder] = readdirSync(workDir)
  expect(readFileSync(join(workDir, folder!, 'predictions/m/sums.jsonl'), 'utf8')).toContain('"key":"k"')
  expect(existsSync(join(workDir, folder!, 'summary/summary.json'))).toBe(true)
})

/** A queue that notes whether its run was done when it was closed. */
function queueWith() {
  const closed: boolean[] = []
  const workers: RemoteWorkers = { ask: async () => undefined, room: () => 1, onRoom: () => {}, begin: () => {}, read: () => {} }
  const queue: OpenQueue = {
    ...workers,
    recorded: () => {},
    close: async (isDone) => {
      closed.push(isDone)
      return ['of the queue']
    },
  }
  return { closed, queue, given: { queue: { check: () => {}, open: async () => queue } } }
}

test('a queue is open while rows are sent, and knows afterwards whether they are done', async () => {
  const { closed, queue, given } = queueWith()
  const run = await prepared(folderWith({}), given)
  const done = await inFolder(run, (open) =>
    onQueue(open, async (queued) => {
      expect([queued.queue === queue, closed]).toEqual([true, []])
      return sent
    }),
  )
  expect([done.remarks, closed]).toEqual([['of the queue', 'a remark'], [true]])
  await expect(inFolder(await prepared(folderWith({}), given), (open) => onQueue(open, fail))).rejects.toThrow('the server is down')
  expect(closed).toEqual([true, false])
  await inFolder(await prepared(folderWith({})), (open) =>
    onQueue(open, async (alone) => {
      expect(alone.queue).toBeUndefined()
      return sent
    }),
  )
})

test('a run listens for requests while rows are sent, if it is to be controlled', async () => {
  const seen = async (given: EvaluationOptions) => {
    let [state, address]: [unknown, string | undefined] = [undefined, undefined]
    await inFolder(await prepared(folderWith({}), given), (open) =>
      underControl(open, async ({ folder, control }) => {
        address = ownAddress(folder.path)
        if (control) state = (await askRun(folder.path, { action: 'status' })).state
        return sent
      }),
    )
    return { state, isLeft: address !== undefined && existsSync(address) }
  }
  expect(await seen({ control: true })).toEqual({ state: 'running', isLeft: false })
  expect(await seen({})).toEqual({ state: undefined, isLeft: false })
})
