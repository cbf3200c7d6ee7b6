import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { PromptError } from '../../../../core/src/base/errors/prompt-error.ts'
import { promptText } from '../../../../core/src/prompt/format/prompt-text.ts'
import { showComparison } from '../../cli/compare/show-comparison.ts'
import { checkConfig } from '../../evaluation/config/check-config.ts'
import type { Config, DatasetConfig } from '../../evaluation/config/config-schema.ts'
import type { LanguageModel } from '../../model/language-model/language-model.ts'
import { OpenRun } from '../../server/viewer/open-run.ts'
import { reviewRun } from './annotations/review-run.ts'
import { compareRunFolders, unmatchedPairs } from './compare-run-folders.ts'
import { earlierAnswers } from './earlier-answers.ts'
import type { EvaluationOptions } from './evaluation-options.ts'
import { runAt } from './find-run.ts'
import { mergeRuns } from './merge-runs.ts'
import { nodeEnvironment } from './node-environment.ts'
import { openRecords } from './records/records.ts'
import { runEvaluation } from './run-evaluation.ts'
import { readRunInfo, readSummary } from './run-layout.ts'
import { openRun } from './run-reader.ts'
import { scoreRun } from './score-run.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rolecall-evaluation-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const sums = (more: Partial<DatasetConfig> = {}): DatasetConfig => ({
  abbr: 'sums',
  rows: Array.from({ length: 17 }, (_, id) => ({ question: `${id}+1=?`, answer: `${id + 1}` })),
  reader_cfg: { input_columns: ['question'], output_column: 'answer' },
  infer_cfg: { prompt_template: { template: '{question}' }, inferencer: { type: 'GenInferencer', max_out_len: 4 } },
  ...more,
})
const config = (...datasets: DatasetConfig[]): Config => ({ models: [{ abbr: 'adder', type: 'mine' }], datasets })

/** Adds, except for sums that end in 7; records its prompts. */
function adder(asked: string[], given: Partial<LanguageModel> = {}): EvaluationOptions['environment'] {
  const model: LanguageModel = {
    name: 'adder',
    concurrency: 3,
    async generate(prompt) {
      const question = promptText(prompt)
      asked.push(question)
      const [first, second] = question.split(/[+=]/).map(Number)
      const sum = first! + second!
      // Later rows often finish before earlier ones.
      await new Promise((resolve) => setTimeout(resolve, (first! % 3) * 2))
      return { text: String(sum % 10 === 7 ? 0 : sum), finish: 'stop', tokens: { prompt: 3, reused: 0, reply: 1 }, notes: [] }
    },
    ...given,
  }
  return { ...nodeEnvironment(root), openModel: async () => model }
}

function run(given: Config, options: EvaluationOptions = {}) {
  return runEvaluation(given, { workDir: join(root, 'runs'), cache: false, environment: adder([]), ...options })
}

const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8')
const withoutTimes = (text: string) => text.replace(/"(milliseconds|seconds|started)": ?("[^"]*"|[\d.]+)/g, '"$1": 0')

describe('a run', () => {
  test('writes sorted rows, metrics and a summary in four formats', async () => {
    const { folder, summary, unfinished } = await run(config(sums()))
    expect(unfinished).toBe(0)
    expect(summary.results).toMatchObject([{ model: 'adder', dataset: 'sums', rows: 17, failed: 0 }])
    const lines = read(folder, 'predictions/adder/sums.jsonl').trim().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual(Array.from({ length: 17 }, (_, id) => id))
    expect(JSON.parse(read(folder, 'results/adder/sums.json'))).toEqual(summary.results[0])
    expect(JSON.parse(read(folder, 'summary/summary.json'))).toMatchObject({ results: summary.results })
    expect(read(folder, 'summary/summary.csv')).toMatch(/^model,dataset,metric,.*\nadder,sums,accuracy,percent,88\.2/)
    expect(read(folder, 'summary/summary.txt')).toContain('adder   ███████')
    expect(read(folder, 'summary/summary.md')).toContain('| adder | 88.2')
    expect(existsSync(join(folder, 'run.lock'))).toBe(false)
  })

  test('separates pairs whose paths collide, and writes neither functions nor keys', async () => {
    const secret: Config = {
      models: [
        {
          abbr: 'a/b',
          type: 'mine',
          key: 'sk-very-secret',
          base_url: 'http://me:sk-very-secret@host/v1',
          headers: { Authorization: 'Bearer sk-very-secret', 'x-goog-api-key': 'sk-very-secret', 'X-Team': '$TEAM' },
        },
        { abbr: 'a_b', type: 'mine' },
      ],
      datasets: [],
    }
    const { folder } = await run({
      ...secret,
      datasets: [
        sums({
          eval_cfg: {
            pred_postprocessor: function tidy(text: string) {
              return text
            },
          },
        }),
      ],
    })
    const files = readdirSync(join(folder, 'predictions'), { recursive: true }).filter((name) => String(name).endsWith('.jsonl'))
    expect(files).toHaveLength(2)
    const written = read(folder, 'configs/config.json')
    expect(written).not.toContain('sk-very-secret')
    expect(written).toContain('"$function": "tidy"')
    expect(written).toContain('"$TEAM"')
    expect(written).toContain('"http://host/v1"')
  })

  test('whose config had secrets is resumed, scored and viewed without them', async () => {
    const secret: Config = {
      models: [{ abbr: 'adder', type: 'mine', base_url: 'http://me:pw@host/v1', headers: { 'X-Auth-Token': 'sk-very-secret' } }],
      // A column may have any name.
      datasets: [sums({ rows: [{ question: '1+1=?', answer: '2', token: 'of data', headers: { to: 'http://a:b@c' } }] })],
    }
    const asked: string[] = []
    const { folder } = await run(secret, { environment: adder(asked) })
    expect(await run(secret, { environment: adder(asked), reuse: 'latest' })).toMatchObject({ folder, rerunRows: 0 })
    expect(asked).toHaveLength(1)
    expect(readdirSync(join(folder, 'configs')).sort()).toEqual(['config.json', 'run.json'])
    expect(read(folder, 'configs/config.json')).toMatch(/"of data".*"http:\/\/a:b@c"/s)
    expect(await scoreRun(folder)).toMatchObject({ missing: [], summary: { results: [{ value: 100 }] } })
    expect(compareRunFolders(folder, folder)).toHaveLength(1)
    expect(new OpenRun(folder).loadedConfig().config.models).toMatchObject([{ abbr: 'adder', base_url: 'http://host/v1', headers: {} }])
  })

  test('started in the same second as another gets its own folder', async () => {
    const [one, other] = await Promise.all([run(config(sums())), run(config(sums()))])
    expect(one.folder).not.toBe(other.folder)
  })

  test('in progress cannot be resumed by another process', async () => {
    const { folder } = await run(config(sums()))
    writeFileSync(join(folder, 'run.lock'), JSON.stringify({ pid: process.ppid, host: (await import('node:os')).hostname() }))
    await expect(run(config(sums()), { reuse: 'latest' })).rejects.toMatchObject({ code: 'run-in-use' })
    // Viewers see the lock as well, however long the process is stopped.
    const anHourAgo = Date.now() / 1000 - 3600
    utimesSync(join(folder, 'run.lock'), anHourAgo, anHourAgo)
    expect((await new OpenRun(folder).state()).isLive).toBe(true)
    // The lock of a killed process does not count.
    writeFileSync(join(folder, 'run.lock'), JSON.stringify({ pid: 2 ** 22 + 1, host: (await import('node:os')).hostname() }))
    expect((await run(config(sums()), { reuse: 'latest' })).folder).toBe(folder)
  })

  test('taken over by another process stops and writes nothing more', async () => {
    const taken = vi.fn()
    const running = run(config(sums()), {
      onEvent(event) {
        if (event.kind !== 'row' || event.done !== 4) return
        const [name] = readdirSync(join(root, 'runs'))
        const lock = join(root, 'runs', name!, 'run.lock')
        rmSync(lock)
        writeFileSync(lock, JSON.stringify({ pid: 1, host: 'another-machine', token: 'other' }))
        taken(join(root, 'runs', name!))
        // Simulates stopping this process for a minute.
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
      },
    })
    await expect(running).rejects.toMatchObject({ code: 'run-in-use' })
    vi.useRealTimers()
    const [folder] = taken.mock.calls[0] as [string]
    expect(existsSync(join(folder, 'summary'))).toBe(false)
    expect(read(folder, 'predictions/adder/sums.jsonl').split('\n').length).toBeLessThan(10)
    expect(read(folder, 'run.lock')).toContain('another-machine')
  })
})

describe('an unwritable disk', () => {
  const problem = (workDir: string, options: EvaluationOptions = {}) =>
    run(config(sums()), { workDir, ...options }).then(
      () => 'none',
      (error: PromptError) => `${error.code} ${error.where}: ${error.problem}`,
    )

  test('is reported with location, problem and fix', async () => {
    writeFileSync(join(root, 'file'), '')
    expect(await problem(join(root, 'file'))).toBe(`disk ${join(root, 'file')}: this is a file, not a folder (EEXIST)`)
    expect(await problem(join(root, 'file/below'))).toBe(
      `disk ${join(root, 'file/below')}: part of this path is a file, not a folder (ENOTDIR)`,
    )
  })

  test.skipIf(process.platform !== 'linux')(
    'is told where the system has folders of its own making (skipped where there is no /proc)',
    async () => {
      expect(await problem('/proc/rolecall/runs')).toBe('disk /proc/rolecall: no folder can be created here (ENOENT)')
    },
  )

  test('is reported if full', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' })
    const environment = adder([], { generate: () => Promise.reject(full) })
    expect(await problem(join(root, 'runs'), { environment })).toBe(`disk ${join(root, 'runs')}: the disk is full (ENOSPC)`)
    const large = Object.assign(new Error('EFBIG: file too large, write'), { code: 'EFBIG', syscall: 'write' })
    expect(await problem(join(root, 'runs'), { environment: adder([], { generate: () => Promise.reject(large) }) })).toContain(
      'the file is larger than this process may write',
    )
  })
})

test('a run that failed to start leaves no folder to resume', async () => {
  const missing = config(sums({ rows: undefined, path: 'missing.jsonl' } as never))
  await expect(run(missing)).rejects.toBeInstanceOf(PromptError)
  expect(existsSync(join(root, 'runs')) ? readdirSync(join(root, 'runs')) : []).toEqual([])
})

test('nor parents created for it, while existing ones stay', async () => {
  const openModel = async () => {
    throw new PromptError('no-file', { where: 'adder › path', problem: 'there is no file', fix: 'check the path' })
  }
  const fails = () => run(config(sums()), { workDir: join(root, 'a', 'b'), environment: { ...adder([])!, openModel } })
  await expect(fails()).rejects.toMatchObject({ code: 'no-file' })
  expect(existsSync(join(root, 'a'))).toBe(false)
  mkdirSync(join(root, 'a'))
  await expect(fails()).rejects.toMatchObject({ code: 'no-file' })
  expect(readdirSync(join(root, 'a'))).toEqual([])
})

describe('resuming a run', () => {
  test('keeps its original options and lists the available runs', async () => {
    const { folder } = await run(config(sums()), { limit: 5 })
    const again = await run(config(sums()), { reuse: 'latest' })
    expect(again).toMatchObject({ folder, summary: { results: [{ rows: 5 }] } })
    const asked: string[] = []
    const more = await run(config(sums()), { reuse: folder, limit: 9, environment: adder(asked) })
    expect({ rows: more.summary.results[0]!.rows, asked: asked.length }).toEqual({ rows: 9, asked: 4 })
    await expect(run(config(sums()), { reuse: 'yesterday' })).rejects.toMatchObject({ code: 'no-run' })
    expect((await run(config(sums()), { workDir: join(root, 'new'), reuse: 'latest' })).unfinished).toBe(0)
  })

  test('keeps a disabled cache and the number of workers', async () => {
    const cache = join(root, 'cache')
    await run(config(sums()), { workDir: join(root, 'before'), cache })
    const asked: string[] = []
    const stop = new AbortController()
    const onEvent: EvaluationOptions['onEvent'] = (event) => event.kind === 'row' && event.done === 4 && stop.abort()
    await run(config(sums()), { environment: adder(asked), cache: false, workers: 2, stop: stop.signal, onEvent })
    vi.stubEnv('ROLECALL_CACHE', cache)
    const { folder } = await runEvaluation(config(sums()), { workDir: join(root, 'runs'), environment: adder(asked), reuse: 'latest' })
    vi.unstubAllEnvs()
    expect(asked).toHaveLength(17)
    expect(JSON.parse(read(folder, 'configs/run.json')).options).toEqual({ cache: false, workers: 2 })
  })

  test('with a subset of its models keeps the others', async () => {
    const models = ['one', 'two', 'three'].map((abbr) => ({ abbr, type: 'mine' }))
    const two: Config = { ...config(sums()), models }
    const before = await run(two, { models: 'one,two' })
    const some = await run(two, { reuse: 'latest', models: 'two', limit: 17 })
    expect(some.summary).toMatchObject({ results: [{ model: 'one' }, { model: 'two' }], comparisons: before.summary.comparisons! })
    expect(some.summary.unfinished).toBeUndefined()
    expect(some.remarks).toEqual(['one on sums was not selected this time; its results are from before'])
    const asked: string[] = []
    const again = await run(two, { reuse: 'latest', environment: adder(asked) })
    expect({ models: again.summary.results.map(({ model }) => model), asked }).toEqual({ models: ['one', 'two'], asked: [] })
    // Models may be added; one removed from the config keeps its results.
    const [, ...rest] = models
    const more = await run({ ...config(sums()), models: rest }, { reuse: 'latest', models: 'three' })
    expect(more.summary.results.map(({ model }) => model)).toEqual(['one', 'two', 'three'])
    expect(JSON.parse(read(more.folder, 'configs/run.json')).options.models).toBe('one,two,three')
  })

  describe('in several formats', () => {
    const formats = 'chatml,plain'
    const echo = (asked: string[]) =>
      adder(asked, {
        async generate(prompt) {
          asked.push(promptText(prompt))
          return { text: '1', finish: 'stop', tokens: { prompt: 3, reused: 0, reply: 1 }, notes: [] }
        },
      })
    const named = [
      { model: 'known as adder', format: 'chatml', dataset: 'sums' },
      { model: 'known as adder', format: 'plain', dataset: 'sums' },
    ]
    const given: Config = { ...config(sums()), models: [{ abbr: 'known as adder', type: 'mine', format: 'internlm2' }] }

    /** The same run in version 1, with the format in the model's name. */
    function asBefore(folder: string) {
      const rewrite = (name: string, change: (content: never) => unknown) =>
        writeFileSync(join(folder, name), JSON.stringify(change(JSON.parse(read(folder, name)) as never)))
      const together = ({ format, ...rest }: { model: string; format: string }) => ({ ...rest, model: `${rest.model} as ${format}` })
      rewrite('configs/run.json', (info: { pairs: never[] }) => ({ ...info, version: 1, pairs: info.pairs.map(together) }))
      rewrite('summary/summary.json', (summary: { results: never[] }) => ({ ...summary, results: summary.results.map(together) }))
      for (const format of formats.split(',')) rewrite(`results/known_as_adder_as_${format}/sums.json`, together)
    }

    test('records the format of a pair as a field in every file', async () => {
      const { folder, summary } = await run(given, { formats, environment: echo([]) })
      expect(summary.results).toMatchObject(named)
      expect(JSON.parse(read(folder, 'configs/run.json'))).toMatchObject({ version: 2, pairs: named })
      expect(JSON.parse(read(folder, 'results/known_as_adder_as_plain/sums.json'))).toMatchObject(named[1]!)
      const opened = new OpenRun(folder)
      expect(opened.site(0).pairs).toEqual(named.map((name, modelIndex) => ({ ...name, modelIndex, datasetIndex: 0 })))
      expect(opened.loadedConfig().config.models).toMatchObject([{ format: 'chatml' }, { format: 'plain' }])
      expect((await scoreRun(folder)).summary.results).toMatchObject(named)
      const [first, second] = compareRunFolders(folder, folder).map(({ comparison }) => comparison)
      expect([first!.formats, second!.formats]).toEqual([
        ['chatml', 'chatml'],
        ['plain', 'plain'],
      ])
    })

    test('of version 1, with the format in the name, can be viewed, compared, scored and resumed', async () => {
      const whole = await run(given, { formats, environment: echo([]) })
      asBefore(whole.folder)
      const opened = new OpenRun(whole.folder)
      expect(opened.site(0).pairs).toMatchObject(named)
      expect((await opened.state()).pairs).toMatchObject(named.map((name) => ({ rows: 17, result: name })))
      expect(compareRunFolders(whole.folder, whole.folder)).toHaveLength(2)
      expect((await scoreRun(whole.folder)).summary.results).toMatchObject(named)
      asBefore(whole.folder)
      const asked: string[] = []
      const again = await run(given, { reuse: 'latest', formats: 'plain', environment: echo(asked) })
      expect({ folder: again.folder, asked }).toEqual({ folder: whole.folder, asked: [] })
      expect(again.summary.results).toMatchObject(named)
      expect(again.remarks).toEqual(['known as adder as chatml on sums was not selected this time; its results are from before'])
      expect(readdirSync(join(whole.folder, 'predictions'))).toEqual(['known_as_adder_as_chatml', 'known_as_adder_as_plain'])
    })

    test('a model whose name happens to end in " as FORMAT" is unchanged', async () => {
      const { folder } = await run({ ...given, models: [{ abbr: 'tiny as plain', type: 'mine' }] }, { environment: echo([]) })
      const info = JSON.parse(read(folder, 'configs/run.json')) as object
      writeFileSync(join(folder, 'configs/run.json'), JSON.stringify({ ...info, version: 1 }))
      expect(new OpenRun(folder).site(0).pairs).toMatchObject([{ model: 'tiny as plain', dataset: 'sums' }])
    })
  })

  test('that is unreadable is an error naming the file, and starts no new run', async () => {
    const older = await run(config(sums()))
    const { folder } = await run(config(sums()))
    const file = join(folder, 'configs/run.json')
    writeFileSync(file, '{ "version": 1, "na')
    const broken = { code: 'bad-run', where: file, problem: 'this is not valid JSON: the file is damaged, or still being written' }
    await expect(run(config(sums()), { reuse: 'latest' })).rejects.toMatchObject(broken)
    expect(() => runAt(join(root, 'runs'))).toThrow(expect.objectContaining(broken))
    writeFileSync(file, '{ "version": 3, "rolecall": "9.0.0" }')
    const newer = { code: 'newer-run', where: file, problem: expect.stringContaining('a newer Rolecall (9.0.0) wrote this run') }
    await expect(run(config(sums()), { reuse: 'latest' })).rejects.toMatchObject(newer)
    expect(readdirSync(join(root, 'runs'))).toHaveLength(2)
    // An unreadable run older than the latest is ignored.
    rmSync(folder, { recursive: true })
    writeFileSync(join(older.folder, 'configs/run.json'), '')
    const later = await run(config(sums()))
    expect((await run(config(sums()), { reuse: 'latest' })).folder).toBe(later.folder)
  })

  test('whose results or summary are damaged is an error naming the file; an estimate reads the rows, and scoring writes them again', async () => {
    const { folder, summary } = await run(config(sums()))
    const { pairs } = readRunInfo(folder)
    const [result, all] = [join(folder, pairs[0]!.results), join(folder, 'summary/summary.json')]
    for (const file of [result, all]) writeFileSync(file, '{"rows": 1')
    const damaged = (where: string) => expect.objectContaining({ code: 'bad-run', where, fix: expect.stringContaining('rolecall score') })
    expect(() => reviewRun(openRun(folder))).toThrow(damaged(result))
    expect(() => compareRunFolders(folder, folder)).toThrow(damaged(result))
    expect(() => readSummary(folder)).toThrow(damaged(all))
    expect(earlierAnswers([join(root, 'runs')], pairs)).toMatchObject([{ rows: 17, failed: 0 }])
    expect(earlierAnswers([join(root, 'runs')], pairs)[0]).not.toHaveProperty('seconds')
    await scoreRun(folder)
    expect(readSummary(folder)?.results).toMatchObject([{ value: summary.results[0]!.value }])
    expect(earlierAnswers([join(root, 'runs')], pairs)).toMatchObject([{ rows: 17 }])
  })

  test('after a stop: rows in flight finish and are kept, no others are sent', async () => {
    const stop = new AbortController()
    const asked: string[] = []
    const environment = adder(asked)
    const stopped = await run(config(sums()), {
      environment,
      stop: stop.signal,
      onEvent: (event) => event.kind === 'row' && event.done === 4 && stop.abort(),
    })
    expect(stopped).toMatchObject({ unfinished: 1, summary: { unfinished: true, results: [] } })
    const records = openRecords(join(stopped.folder, 'predictions/adder/sums.jsonl'))
    expect(records.count).toBe(asked.length)
    expect(asked.length).toBeLessThan(10)
    records.close()
    await run(config(sums()), { environment, reuse: 'latest' })
    expect(asked).toHaveLength(17)
    expect(new Set(asked).size).toBe(17)
    const whole = await run(config(sums()), { workDir: join(root, 'whole') })
    const file = 'predictions/adder/sums.jsonl'
    expect(withoutTimes(read(stopped.folder, file))).toBe(withoutTimes(read(whole.folder, file)))
  })

  test('failed rows are kept and retried on request', async () => {
    let isBroken = true
    const asked: string[] = []
    const { openModel, ...rest } = adder(asked)!
    const environment = {
      ...rest,
      openModel: async (...given: Parameters<typeof openModel>) => {
        const model = await openModel(...given)
        return {
          ...model,
          generate: async (...request: Parameters<LanguageModel['generate']>) => {
            if (isBroken && promptText(request[0]).startsWith('3+')) {
              throw new PromptError('request-failed', { where: 'adder', problem: 'it answered 500', fix: 'look at the server' })
            }
            return model.generate(...request)
          },
        }
      },
    }
    const first = await run(config(sums()), { environment })
    expect(first.summary.results).toMatchObject([
      { rows: 17, failed: 1, value: 87.5, valueIfFailedAreWrong: expect.closeTo((14 / 17) * 100) },
    ])
    expect(read(first.folder, 'summary/summary.md')).toContain(
      '1 of 17 rows have no answer: 87.5 is over the other 16 (82.4 if they count as wrong); rolecall run -r --retry-errors sends them again',
    )
    isBroken = false
    asked.length = 0
    expect((await run(config(sums()), { environment, reuse: 'latest' })).summary.results).toMatchObject([{ failed: 1 }])
    expect(asked).toEqual([])
    const third = await run(config(sums()), { environment, reuse: 'latest', retryErrors: true })
    expect({ asked, result: third.summary.results[0] }).toMatchObject({ asked: ['3+1=?'], result: { failed: 0, rows: 17 } })
  })

  test('a lost server stops the run; finished rows are recorded, the others are not', async () => {
    const asked: string[] = []
    const down = { code: 'server-down', where: 'adder › base_url', problem: 'nobody answers', fix: 'start it' }
    let left = 6
    const generate = adder(asked)!
    const environment = {
      ...generate,
      openModel: async (...given: Parameters<typeof generate.openModel>) => {
        const model = await generate.openModel(...given)
        return {
          ...model,
          generate: (...request: Parameters<LanguageModel['generate']>) =>
            left-- > 0 ? model.generate(...request) : Promise.reject(new PromptError(down.code, down)),
        }
      },
    }
    await expect(run(config(sums()), { environment })).rejects.toMatchObject({ code: 'server-down' })
    const [name] = readdirSync(join(root, 'runs'))
    expect(JSON.parse(read(join(root, 'runs', name!), 'summary/summary.json'))).toMatchObject({ unfinished: true, results: [] })
    const done = await run(config(sums()), { environment: adder(asked), reuse: 'latest' })
    expect({ failed: done.summary.results[0]!.failed, asked: asked.length }).toEqual({ failed: 0, asked: 17 })
  })
})

describe('shards of a run', () => {
  const parts = (
    count: number,
    of = config(sums(), sums({ abbr: 'two', rows: [{ question: '1+1=?', answer: '2' }] })),
    options: EvaluationOptions = {},
  ) => Promise.all(Array.from({ length: count }, (_, index) => run(of, { shard: `${index + 1}/${count}`, ...options })))

  test('merge to the result of one run over all rows', async () => {
    const all = config(sums(), sums({ abbr: 'two', rows: [{ question: '1+1=?', answer: '2' }] }))
    const whole = await run(all, { workDir: join(root, 'whole') })
    const made = await parts(3)
    expect(made.map(({ summary }) => summary.results.map(({ rows }) => rows))).toEqual([
      [6, 1],
      [6, 0],
      [5, 0],
    ])
    const merged = await mergeRuns([join(root, 'runs')])
    for (const file of [
      'predictions/adder/sums.jsonl',
      'predictions/adder/two.jsonl',
      'results/adder/sums.json',
      'summary/summary.json',
      'summary/summary.csv',
    ]) {
      const comparable = (folder: string) => withoutSeconds(withoutTimes(read(folder, file)))
      expect(comparable(merged.folder)).toBe(comparable(whole.folder))
    }
    // Given one by one in any order, with an output folder; annotations are joined.
    for (const [part, { folder }] of made.entries()) writeFileSync(join(folder, 'annotations.jsonl'), `{"row":${part}}`)
    const again = await mergeRuns(made.map(({ folder }) => folder).reverse(), join(root, 'joined'))
    expect(again.summary.results.map(({ value }) => value)).toEqual(whole.summary.results.map(({ value }) => value))
    expect(read(again.folder, 'annotations.jsonl')).toBe(made.map((_, part) => `{"row":${part}}\n`).join(''))
    await expect(mergeRuns([join(root, 'runs')], join(root, 'joined'))).rejects.toMatchObject({ code: 'folder-in-use' })
  })

  test('that are missing, duplicate, unfinished, complete runs or unrelated are errors that name them', async () => {
    const [one, two, three] = (await parts(3)).map(({ folder }) => folder) as [string, string, string]
    const problem = (given: string[]) =>
      mergeRuns(given).then(
        () => 'none',
        (error: PromptError) => `${error.code}: ${error.problem}`,
      )
    expect(await problem([one, three])).toBe('missing-part: a shard is missing: 2/3')
    expect(await problem([one, two, three, two])).toMatch(/^double-part: shard 2\/3 is given twice/)
    const [half] = await parts(2)
    expect(await problem([one, half!.folder])).toMatch(/^foreign-part: .*different numbers of shards/)
    const [other] = await parts(3, config(sums({ abbr: 'others' })), { workDir: join(root, 'others') })
    expect(await problem([two, three, other!.folder])).toMatch(/^foreign-part: .*different configs/)
    const whole = await run(config(sums()), { workDir: join(root, 'whole') })
    expect(await problem([whole.folder])).toBe('no-part: this is a complete run, not a shard')
    const file = join(two, 'predictions/adder/sums.jsonl')
    writeFileSync(file, readFileSync(file, 'utf8').split('\n').slice(2).join('\n'))
    expect(await problem([one, two, three])).toBe('unfinished-part: some rows have not run yet: 2/3 lacks 2 rows')
    expect(readdirSync(join(root, 'runs')).filter((name) => !name.startsWith('shard-'))).toEqual([])
  })

  test('that cannot be merged leave the output folder unchanged', async () => {
    const [one, two] = (await parts(2)).map(({ folder }) => folder) as [string, string]
    const file = join(two, 'predictions/adder/sums.jsonl')
    writeFileSync(file, readFileSync(file, 'utf8').split('\n').slice(2).join('\n'))
    // It contains the shards and an unrelated note.
    writeFileSync(join(root, 'runs/notes.txt'), 'mine')
    await expect(mergeRuns([one, two], join(root, 'runs'))).rejects.toMatchObject({ code: 'folder-in-use' })
    expect(readdirSync(join(root, 'runs')).sort()).toEqual(['notes.txt', 'shard-1-of-2', 'shard-2-of-2'])
    mkdirSync(join(root, 'empty'))
    await expect(mergeRuns([one, two], join(root, 'empty'))).rejects.toMatchObject({ code: 'unfinished-part' })
    expect(readdirSync(join(root, 'empty'))).toEqual([])
    expect(existsSync(join(one, 'configs/run.json'))).toBe(true)
  })

  test('are written as index/count, from 1', async () => {
    for (const shard of ['0/3', '4/3', '1/0', 'x', '1'])
      await expect(run(config(sums()), { shard })).rejects.toMatchObject({ code: 'bad-shard' })
  })
})

describe('rescoring', () => {
  const loaded = async (given: Config) => ({
    file: '',
    folder: root,
    config: checkConfig(given),
  })

  test('sends nothing and applies a changed evaluator to records, results and summary', async () => {
    const { folder } = await run(config(sums()))
    const lenient = config(sums({ eval_cfg: { pred_postprocessor: (text: string) => (text === '0' ? '7' : text) } }))
    const { summary } = await scoreRun(folder, await loaded(lenient))
    // 6+1 is now correct; 16+1 is 17 and stays wrong.
    expect(summary.results[0]!.value).toBeCloseTo((16 / 17) * 100)
    const records = openRecords(join(folder, 'predictions/adder/sums.jsonl'))
    expect([6, 16].map((id) => records.find(id)!.score)).toEqual([1, 0])
    records.close()
    expect(existsSync(join(folder, 'configs/config-1.json'))).toBe(true)
  })

  test('with its own config changes only times', async () => {
    const { folder } = await run(config(sums()))
    const before = ['predictions/adder/sums.jsonl', 'results/adder/sums.json'].map((name) => withoutTimes(read(folder, name)))
    const { missing } = await scoreRun(folder)
    expect(missing).toEqual([])
    expect(['predictions/adder/sums.jsonl', 'results/adder/sums.json'].map((name) => withoutTimes(read(folder, name)))).toEqual(before)
  })

  test('refuses changed prompts before writing, and lists rows that have not run', async () => {
    const { folder } = await run(config(sums()), { limit: 5 })
    const before = read(folder, 'results/adder/sums.json')
    const other = sums()
    other.infer_cfg = { ...other.infer_cfg, prompt_template: { template: 'Q: {question}' } }
    await expect(scoreRun(folder, await loaded(config(other)))).rejects.toMatchObject({ code: 'other-prompts' })
    expect(read(folder, 'results/adder/sums.json')).toBe(before)
    const info = join(folder, 'configs/run.json')
    writeFileSync(info, readFileSync(info, 'utf8').replace('"limit": 5', '"limit": 7'))
    expect((await scoreRun(folder)).missing).toEqual([{ model: 'adder', dataset: 'sums', rows: [5, 6] }])
  })
})

describe('a server that stops answering', () => {
  test('fails no row: lost ones are sent again when it is back', async () => {
    const failing = (lastsFor: number, ends: boolean) => {
      let count = 0
      return adder([], {
        concurrency: 1,
        generate: async (prompt) => {
          const number = count++
          if (number >= lastsFor && number < lastsFor + 3)
            throw new PromptError('request-failed', { where: 'm', problem: 'it failed', fix: 'x' })
          if (number >= lastsFor && ends) throw new PromptError('server-down', { where: 'm', problem: 'it is gone', fix: 'x' })
          const sum = Number(promptText(prompt).match(/(\d+)\+/)![1]) + 1
          return { text: String(sum), finish: 'stop', tokens: { prompt: 3, reused: 0, reply: 1 }, notes: [] }
        },
      })
    }
    await expect(run(config(sums()), { environment: failing(5, true) })).rejects.toMatchObject({ code: 'server-down' })
    const folder = join(root, 'runs', readdirSync(join(root, 'runs'))[0]!)
    const lines = readFileSync(join(folder, 'predictions/adder/sums.jsonl'), 'utf8').trim().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([0, 1, 2, 3, 4])
    // A later success shows that the failures were caused by the rows.
    const { summary } = await run(config(sums()), { environment: failing(5, false) })
    expect(summary.results[0]).toMatchObject({ rows: 17, failed: 3 })
  })
})

describe('comparing runs', () => {
  test('matches rows by content and reports which became better and worse', async () => {
    const before = await run(config(sums()))
    const worse = adder([], {
      generate: async (prompt) => {
        const sum = Number(promptText(prompt).match(/(\d+)\+/)![1]) + 1
        return { text: String(sum < 4 ? -1 : sum), finish: 'stop', tokens: { prompt: 3, reused: 0, reply: 1 }, notes: [] }
      },
    })
    const rows = [...(sums().rows ?? [])].reverse()
    const after = await run(config(sums({ rows: [...rows, { question: '30+1=?', answer: '31' }] })), { environment: worse })
    const [compared] = compareRunFolders(before.folder, after.folder)
    expect(compared!.comparison).toMatchObject({
      rows: 17,
      onlyInFirst: 0,
      onlyInSecond: 1,
      worse: [0, 1, 2],
      better: [6, 16],
      otherPrompts: 0,
      comparison: { mcnemar: { onlyFirst: 3, onlySecond: 2 } },
    })
    expect(compared!.examples.map(({ change, first, second }) => [change, first.id, second.id])).toEqual([
      ['worse', 0, 16],
      ['worse', 1, 15],
      ['worse', 2, 14],
      ['better', 6, 10],
      ['better', 16, 0],
    ])
    await expect(async () => compareRunFolders(before.folder, (await run(config(sums({ abbr: 'others' })))).folder)).rejects.toMatchObject({
      code: 'nothing-to-compare',
    })
  })

  test('does not compare differently scored runs, and reports metrics that are not means of rows', async () => {
    const scoredBy = (type: string) => sums({ eval_cfg: { evaluator: { type }, allow_unscorable: true } })
    const [exact, bleu] = [await run(config(sums(), sums({ abbr: 'more' }))), await run(config(scoredBy('BleuEvaluator')))]
    const [compared] = compareRunFolders(exact.folder, bleu.folder)
    expect(compared!.comparison).toMatchObject({ metrics: ['accuracy', 'score'], rows: 17, worse: [], better: [] })
    expect(compared!.comparison.comparison).toBeUndefined()
    expect(showComparison(compared!)).toContain('the first is scored by accuracy, the second by score')
    const [same] = compareRunFolders(bleu.folder, bleu.folder)
    expect(same!.comparison.figures).toMatchObject({ metric: 'score', first: same!.comparison.figures!.second })
    expect(showComparison(same!)).toContain('This metric is not a mean of row scores')
    expect(unmatchedPairs(openRun(exact.folder).pairs, openRun(bleu.folder).pairs)).toEqual({ first: ['adder on more'], second: [] })
  })
})

/** Blanks the seconds column of a table; other text is unchanged. */
function withoutSeconds(text: string): string {
  const [header = '', ...lines] = text.split('\n')
  const column = header.split(',').indexOf('seconds')
  if (column < 0) return text
  const cells = (line: string) => line.split(',').map((cell, index) => (index === column ? '' : cell))
  return [header, ...lines.map((line) => cells(line).join(','))].join('\n')
}
