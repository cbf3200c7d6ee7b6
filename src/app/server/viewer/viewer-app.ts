import { createReadStream, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Hono } from 'hono'
import { PromptError } from '../../../base/errors/prompt-error.ts'
import { compareSides, type Side } from './compare-sides.ts'
import { compressed } from './compress.ts'
import type { OpenRun } from './open-run.ts'
import type { OpenConfig } from './open-viewed-config.ts'
import { runLine } from './run-line.ts'
import { onlyOwnPage } from './security.ts'
import { tokenizerFile } from './tokenizer-file.ts'
import type { DatasetRows } from './viewed-rows.ts'
import type { RunLine, Site, WireError } from './viewer-data.ts'
import { embeddedFiles, typeOf, viewerFolder } from './viewer-files.ts'

/** What is looked at. */
export type Viewed = {
  version: string
  configs: readonly OpenConfig[]
  runs?: readonly ViewedRun[]
  /** Saved conversations: their names and files. */
  conversations?: readonly { name: string; file: string }[]
  /** Adds runs that were begun since to `runs` and `configs`. */
  lookAgain?: (() => Promise<void>) | undefined
}

/** A run, and which of the configs is its own. */
export type ViewedRun = { run: OpenRun; config: number }

/** The viewer's server: the page, and what it shows as JSON, read when it is asked for. */
export function viewerApp({ version, configs, runs = [], conversations = [], lookAgain }: Viewed, folder = viewerFolder()): Hono {
  const app = new Hono()
  const embedded = embeddedFiles()
  app.use(onlyOwnPage())
  app.use(compressed())
  app.onError((error, context) => {
    if (!(error instanceof PromptError)) return context.json(failure('the server', error.message, 'look at its terminal'), 500)
    return context.json(failure(error.where, error.problem, error.fix), error.code === 'no-row' ? 404 : 422)
  })

  app.get('/data/site.json', (context) =>
    context.json({
      version,
      configs: configs.map(({ site }) => site),
      runs: runs.map(({ run, config }) => run.site(config)),
      conversations: conversations.map(({ name }) => name),
      rowsPerFile: 1,
    } satisfies Site),
  )
  app.get('/data/configs/:config/datasets/:dataset/list/:part{\\d+\\.json}', async (context) => {
    const { config, dataset, part } = context.req.param()
    return context.json(await rowsOf(config, dataset).list(Number.parseInt(part, 10)))
  })
  app.get('/data/configs/:config/datasets/:dataset/rows/:row{\\d+\\.json}', async (context) => {
    const { config, dataset, row } = context.req.param()
    return context.json(await rowsOf(config, dataset).rows(Number.parseInt(row, 10), 1))
  })
  app.get('/data/runs.json', async (context) => {
    await lookAgain?.()
    return context.json(await runLines({ configs, runs }))
  })
  app.get('/data/compare/:sides{[\\d.]+-[\\d.]+\\.json}', (context) => {
    const [first, second] = context.req
      .param('sides')
      .replace(/\.json$/, '')
      .split('-')
      .map(sideAt) as [Side, Side]
    return context.json(compareSides(first, second))
  })
  app.get('/data/runs/:run/state.json', (context) => context.json(runAt(context.req.param('run')).run.state()))
  app.get('/data/runs/:run/lengths/:dataset{\\d+\\.json}', async (context) => {
    const { run, dataset } = context.req.param()
    return context.json(await runAt(run).run.lengths(Number.parseInt(dataset, 10)))
  })
  app.get('/data/runs/:run/:pair{\\d+}/scores.json', (context) => {
    const { run, pair } = context.req.param()
    return context.json(runAt(run).run.scores(Number(pair), Number(context.req.query('from') ?? 0)))
  })
  app.get('/data/runs/:run/:pair{\\d+}/list/:part{\\d+\\.json}', async (context) => {
    const { run, pair, part } = context.req.param()
    return context.json(await runAt(run).run.list(Number(pair), Number.parseInt(part, 10), askedRows(run, pair)))
  })
  app.get('/data/runs/:run/:pair{\\d+}/records/:place{\\d+\\.json}', (context) => {
    const { run, pair, place } = context.req.param()
    return context.json(runAt(run).run.records(Number(pair), Number.parseInt(place, 10), 1))
  })
  app.get('/data/runs/:run/:pair{\\d+}/find.json', async (context) => {
    const { run, pair } = context.req.param()
    const { text = '', pattern } = context.req.query()
    return context.json(await runAt(run).run.find(Number(pair), { text, isPattern: pattern !== undefined }, askedRows(run, pair)))
  })
  app.get('/data/runs/:run/:pair{\\d+}/columns.json', async (context) => {
    const { run, pair } = context.req.param()
    return context.json(await runAt(run).run.columns(Number(pair), askedRows(run, pair)))
  })
  app.get('/data/conversations/:number{\\d+\\.json}', (context) =>
    file(conversations[Number.parseInt(context.req.param('number'), 10)]?.file),
  )
  app.get('/data/tokenizers/*', (context) => {
    const name = context.req.path.slice('/data/'.length)
    const path = configs.map(({ tokenizers }) => tokenizers.get(name)).find((found) => found !== undefined)
    return path === undefined ? file(undefined) : new Response(tokenizerFile(path), { headers: { 'content-type': typeOf(name) } })
  })
  app.get('/embedded/:name', (context) => file(embedded.get(`embedded/${context.req.param('name')}`)))
  app.get('/', () => file(join(folder, 'index.html')))
  app.get('/assets/:name{[\\w.-]+}', (context) => file(join(folder, 'assets', context.req.param('name')), 'max-age=31536000, immutable'))
  app.get('/:name{[\\w-]+\\.(svg|json|js)}', (context) => file(join(folder, context.req.param('name'))))
  return app

  /** `0` is a run, `0.1` its second model. */
  function sideAt(name: string): Side {
    const [run = '', model] = name.split('.')
    return runAt(run).run.side(model === undefined ? undefined : Number(model))
  }

  function runAt(number: string): ViewedRun {
    const found = runs[Number(number)]
    if (found) return found
    throw new PromptError('no-row', { where: 'the viewer', problem: 'there is no such run', fix: 'load the page again' })
  }

  /** The rows that a pair was asked; none where the config has the dataset no more. */
  function askedRows(number: string, pair: string): DatasetRows | undefined {
    const { run, config } = runAt(number)
    const { datasetIndex = -1 } = run.site(config).pairs[Number(pair)] ?? {}
    return configs[config]?.rows[datasetIndex]
  }

  function rowsOf(config: string, dataset: string) {
    const found = configs[Number(config)]?.rows[Number(dataset)]
    if (found) return found
    throw new PromptError('no-row', { where: 'the viewer', problem: 'there is no such dataset', fix: 'load the page again' })
  }
}

/** All runs, in a line each. */
export function runLines({ configs, runs = [] }: Pick<Viewed, 'configs' | 'runs'>): Promise<RunLine[]> {
  return Promise.all(
    runs.map(({ run, config }) =>
      runLine(
        run,
        configs[config],
        run.site(config).pairs.map(({ datasetIndex }) => datasetIndex),
      ),
    ),
  )
}

/** A file as it is, streamed: weights have megabytes. */
function file(path: string | undefined, cache = 'no-cache'): Response {
  if (path === undefined || !existsSync(path) || !statSync(path).isFile()) return new Response('not found', { status: 404 })
  const body = Readable.toWeb(createReadStream(path)) as ReadableStream
  return new Response(body, {
    headers: { 'content-type': typeOf(path), 'content-length': String(statSync(path).size), 'cache-control': cache },
  })
}

function failure(where: string, problem: string, fix: string): WireError {
  return { error: { where, problem, fix } }
}
