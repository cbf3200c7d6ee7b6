import { createReadStream, existsSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { PromptError } from '@rolecall/core/internal/errors'
import { Hono } from 'hono'
import { distinctModels, modelText } from '../../evaluation/run/record/pair-name.ts'
import type { NamedSide } from '../../node/runs/why-side.ts'
import type { CompareThread } from './compare-thread.ts'
import { compress } from './compress.ts'
import { addControlRoutes } from './control-routes.ts'
import { downloadGrid } from './grid/download-grid.ts'
import { textFields } from './grid/filter-terms.ts'
import { RunProgress } from './live-progress.ts'
import type { ViewedRun } from './open-run.ts'
import type { ViewedConfig } from './open-viewed-config.ts'
import { limitBody, ownPageOnly } from './own-page-only.ts'
import { downloadRows, type PairRows } from './rows/download-rows.ts'
import { shareRows } from './rows/share-rows.ts'
import { RunAnnotations } from './run-annotations.ts'
import { runLines } from './run-lines.ts'
import { ShownMedia } from './shown-media.ts'
import type { ViewedRows } from './viewed-rows.ts'
import type { Site, WireError } from './viewer-data.ts'
import { embeddedFiles, mediaType, tokenizerFile, viewerFolder } from './viewer-files.ts'

/** The content of the viewer. */
export type Viewed = {
  version: string
  configs: readonly ViewedConfig[]
  runs?: readonly ViewedRun[]
  /** Runs that cannot be opened, and why. */
  unreadable?: readonly { folder: string; error: PromptError }[]
  /** Saved conversations. */
  conversations?: readonly { name: string; file: string }[]
  /** Adds new runs to `runs` and `configs`. */
  refresh?: (() => Promise<void>) | undefined
}

/**
 * `folder`: that of the built page; `token`: what the page sends with changes. Without it, the server is read-only. `controlToken`: what
 * the user enters to control runs in progress. `isLab`: there are no data, and the lab may connect to the hub and to the user's server.
 */
export type ViewerAppOptions = { folder?: string; token?: string | undefined; controlToken?: string | undefined; isLab?: boolean }

/** The viewer's server: the page, and its data as JSON, read on request. */
export function viewerApp(viewed: Viewed, comparisons: CompareThread, options: ViewerAppOptions = {}): Hono {
  const { folder = viewerFolder(), token, controlToken, isLab = false } = options
  const { version, configs, runs = [], conversations = [], refresh } = viewed
  const app = new Hono()
  const embedded = embeddedFiles()
  const media = new ShownMedia()
  const progress = new RunProgress()
  const annotations = new RunAnnotations()
  app.use(ownPageOnly(token, { isLab }), limitBody())
  app.use(compress())
  app.onError((error, context) => {
    if (!(error instanceof PromptError)) return context.json(failure('the server', error.message, 'see its terminal'), 500)
    return context.json(failure(error.where, error.problem, error.fix), error.code === 'no-row' ? 404 : 422)
  })

  app.get('/data/site.json', (context) =>
    context.json({
      version,
      configs: configs.map(({ site }) => site),
      runs: runs.map(({ run, config }) => run.site(config)),
      ...unreadableRuns(viewed),
      conversations: conversations.map(({ name }) => name),
      rowsPerFile: 1,
      ...(token === undefined ? {} : { token }),
      ...(controlToken === undefined ? {} : { hasControl: true as const }),
    } satisfies Site),
  )
  app.get('/data/configs/:config/datasets/:dataset/list/:part{\\d+\\.json}', async (context) => {
    const { config, dataset, part } = context.req.param()
    return context.json(await rowsOf(config, dataset).list(Number.parseInt(part, 10)))
  })
  app.get('/data/configs/:config/datasets/:dataset/rows/:row{\\d+\\.json}', async (context) => {
    const { config, dataset, row } = context.req.param()
    return media.respond(await rowsOf(config, dataset).rows(Number.parseInt(row, 10), 1))
  })
  app.get('/data/runs.json', async (context) => {
    await refresh?.()
    return context.json(await runLines({ configs, runs }))
  })
  app.get('/data/compare/:sides{[\\d.]+-[\\d.]+\\.json}', async (context) => {
    const sides = context.req
      .param('sides')
      .replace(/\.json$/, '')
      .split('-')
    const [first, second] = [sideAt(sides[0]!), sideAt(sides[1]!)]
    return context.body(await comparisons.compare(first, second, context.req.raw.signal), 200, { 'content-type': 'application/json' })
  })
  app.get('/data/why/:sides{\\d+\\.\\d+-\\d+\\.\\d+\\.json}', async (context) => {
    const [run = '', pair = '', other = '', otherPair = ''] = context.req.param('sides').split(/[.-]/)
    const { metric, second } = context.req.query()
    const names = [pairAt(run, pair, metric), pairAt(other, otherPair, second)] as const
    const rows = names.reduce((sum, { count }) => sum + count, 0)
    const sides = names.map(({ count: _, ...name }) => name) as [NamedSide, NamedSide]
    return context.body(await comparisons.explain(sides, rows, context.req.raw.signal), 200, { 'content-type': 'application/json' })
  })
  app.get('/data/why/groups/:sides{\\d+\\.\\d+-\\d+\\.\\d+\\.json}', async (context) => {
    const [run = '', model = '', other = '', otherModel = ''] = context.req.param('sides').split(/[.-]/)
    const [first, second] = [modelAt(run, model), modelAt(other, otherModel)]
    const groups = {
      first: first.folder,
      second: second.folder,
      model: first.model,
      secondModel: second.model,
      group: context.req.query('group'),
    }
    const json = await comparisons.explainGroups(groups, first.count + second.count, context.req.raw.signal)
    return context.body(json, 200, { 'content-type': 'application/json' })
  })
  app.get('/data/runs/:run/state.json', async (context) => {
    const { run, config } = runAt(context.req.param('run'))
    const state = await run.state()
    return context.json(state.isLive ? { ...state, progress: await progress.of(run, configs[config], state) } : state)
  })
  app.get('/data/runs/:run/lengths/:dataset{\\d+\\.json}', async (context) => {
    const { run, dataset } = context.req.param()
    return context.json(await runAt(run).run.lengths(Number.parseInt(dataset, 10)))
  })
  if (controlToken !== undefined) addControlRoutes(app, controlToken, (run) => runAt(run).run.folder)
  app.get('/data/runs/:run/reviews.json', (context) => context.json(annotations.reviews(runAt(context.req.param('run')).run)))
  app.get('/data/runs/:run/:pair{\\d+}/annotations.json', (context) => {
    const { run, pair } = context.req.param()
    return context.json(annotations.of(runAt(run).run, Number(pair)))
  })
  app.post('/data/runs/:run/:pair{\\d+}/annotations/:row{\\d+}', async (context) => {
    const { run, pair, row } = context.req.param()
    return context.json(await annotations.change(runAt(run).run, Number(pair), Number(row), await jsonBody(context.req.raw)))
  })
  app.get('/data/runs/:run/:pair{\\d+}/scores.json', (context) => {
    const { run, pair } = context.req.param()
    return context.json(runAt(run).run.scores(Number(pair)))
  })
  app.get('/data/runs/:run/:pair{\\d+}/list/:part{\\d+\\.json}', async (context) => {
    const { run, pair, part } = context.req.param()
    return context.json(await runAt(run).run.list(Number(pair), Number.parseInt(part, 10), rowsOfPair(run, pair)))
  })
  app.get('/data/runs/:run/:pair{\\d+}/records/:place{\\d+\\.json}', (context) => {
    const { run, pair, place } = context.req.param()
    return media.respond(runAt(run).run.records(Number(pair), Number.parseInt(place, 10), 1))
  })
  app.get('/data/runs/:run/:pair{\\d+}/extracted/:place{\\d+\\.json}', (context) => {
    const { run, pair, place } = context.req.param()
    return context.json(runAt(run).run.extracted(Number(pair), Number.parseInt(place, 10)))
  })
  app.get('/data/runs/:run/:pair{\\d+}/find.json', async (context) => {
    const { run, pair } = context.req.param()
    const { text = '', pattern, in: name } = context.req.query()
    const wanted = { text, isPattern: pattern !== undefined, field: textFields.find((one) => one === name) ?? ('any' as const) }
    return context.json(await runAt(run).run.find(Number(pair), wanted, rowsOfPair(run, pair), context.req.raw.signal))
  })
  app.get('/data/runs/:run/:pair{\\d+}/columns.json', async (context) => {
    const { run, pair } = context.req.param()
    return context.json(await runAt(run).run.columns(Number(pair), rowsOfPair(run, pair)))
  })
  app.get('/data/runs/:run/:pair{\\d+}/:file{rows\\.(csv|jsonl)}', (context) => {
    const { run, pair, file: name } = context.req.param()
    return downloadRows(pairRows(run, pair), context.req.query(), name === 'rows.csv' ? 'csv' : 'jsonl')
  })
  app.get('/data/grid/:file{rows\\.(csv|jsonl|html)}', (context) =>
    downloadGrid(context.req.query(), context.req.param('file').slice('rows.'.length), (run, pair) => pairRows(String(run), String(pair))),
  )
  app.get('/data/runs/:run/:pair{\\d+}/report.html', (context) => {
    const { run: number, pair } = context.req.param()
    const { config } = runAt(number)
    return shareRows({ ...pairRows(number, pair), config: configs[config]!, version, viewer: folder }, context.req.query())
  })
  app.get('/data/media/:hash{[0-9a-f]{64}}', (context) => media.file(context.req.param('hash'), context.req.header('range')))
  app.get('/data/conversations/:number{\\d+\\.json}', (context) =>
    file(conversations[Number.parseInt(context.req.param('number'), 10)]?.file),
  )
  app.get('/data/tokenizers/*', (context) => {
    const name = context.req.path.slice('/data/'.length)
    const path = configs.map(({ tokenizers }) => tokenizers.get(name)).find((found) => found !== undefined)
    return path === undefined ? file(undefined) : new Response(tokenizerFile(path), { headers: { 'content-type': mediaType(name) } })
  })
  app.get('/embedded/:name', (context) => file(embedded.get(`embedded/${context.req.param('name')}`)))
  app.get('/', () => file(join(folder, 'index.html')))
  app.get('/assets/:name{[\\w.-]+}', (context) => file(join(folder, 'assets', context.req.param('name')), 'max-age=31536000, immutable'))
  app.get('/:name{[\\w-]+\\.(svg|json|js|html)}', (context) => file(join(folder, context.req.param('name'))))
  app.get('/lab/:kind{models|tokenizers}/:name{[\\w.-]+}', (context) =>
    file(join(folder, 'lab', context.req.param('kind'), context.req.param('name'))),
  )
  return app

  /** `0` is the first run, `0.1` its second model. */
  function sideAt(name: string) {
    const [run = '', model] = name.split('.')
    return { run: runAt(run).run, model: model === undefined ? undefined : Number(model) }
  }

  /** A pair of a run, by its number, for `why`. */
  function pairAt(number: string, pair: string, metric: string | undefined): NamedSide & { count: number } {
    const { run } = runAt(number)
    if (!run.info.pairs[Number(pair)])
      throw new PromptError('no-row', { where: 'the viewer', problem: 'unknown pair', fix: 'reload the page' })
    const count = run.side().records(Number(pair))?.count ?? 0
    return { folder: run.folder, name: `${run.info.name}/${basename(run.folder)}`, pair: Number(pair), metric, count }
  }

  /** A model of a run, by its number, and the rows of all its datasets. */
  function modelAt(number: string, model: string): { folder: string; model: string; count: number } {
    const { run } = runAt(number)
    const name = distinctModels(run.info.pairs)[Number(model)]
    if (!name) throw new PromptError('no-row', { where: 'the viewer', problem: 'unknown model', fix: 'reload the page' })
    const { pairs, records } = run.side(Number(model))
    return { folder: run.folder, model: modelText(name), count: pairs.reduce((sum, { number }) => sum + (records(number)?.count ?? 0), 0) }
  }

  function runAt(number: string): ViewedRun {
    const found = runs[Number(number)]
    if (found) return found
    throw new PromptError('no-row', { where: 'the viewer', problem: 'unknown run', fix: 'reload the page' })
  }

  function pairRows(number: string, pair: string): PairRows {
    const { run } = runAt(number)
    return { run, pair: Number(pair), rows: rowsOfPair(number, pair), annotations: annotations.of(run, Number(pair)) }
  }

  /** The rows of a pair; undefined if the config no longer has the dataset. */
  function rowsOfPair(number: string, pair: string): ViewedRows | undefined {
    const { run, config } = runAt(number)
    const { datasetIndex = -1 } = run.site(config).pairs[Number(pair)] ?? {}
    return configs[config]?.rows[datasetIndex]
  }

  function rowsOf(config: string, dataset: string) {
    const found = configs[Number(config)]?.rows[Number(dataset)]
    if (found) return found
    throw new PromptError('no-row', { where: 'the viewer', problem: 'unknown dataset', fix: 'reload the page' })
  }
}

/** The runs that cannot be opened, for the page. */
export function unreadableRuns({ unreadable = [] }: Viewed): Pick<Site, 'unreadable'> {
  if (unreadable.length === 0) return {}
  return { unreadable: unreadable.map(({ folder, error: { where, problem, fix } }) => ({ folder, where, problem, fix })) }
}

/** Streams a file: weights have megabytes. */
function file(path: string | undefined, cache = 'no-cache'): Response {
  if (path === undefined || !existsSync(path) || !statSync(path).isFile()) return new Response('not found', { status: 404 })
  const body = Readable.toWeb(createReadStream(path)) as ReadableStream
  return new Response(body, {
    headers: { 'content-type': mediaType(path), 'content-length': String(statSync(path).size), 'cache-control': cache },
  })
}

async function jsonBody(request: Request): Promise<unknown> {
  try {
    return await request.json()
  } catch {
    throw new PromptError('bad-request', { where: 'the request', problem: 'the body is not valid JSON', fix: 'reload the page' })
  }
}

function failure(where: string, problem: string, fix: string): WireError {
  return { error: { where, problem, fix } }
}
