import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openViewed } from '../../cli/view/open-viewed.ts'
import { loadConfig } from '../../node/config/load-config.ts'
import { nodeEnvironment } from '../../node/runs/node-environment.ts'
import { runEvaluation } from '../../node/runs/run-evaluation.ts'
import { scoreRun } from '../../node/runs/score-run.ts'
import { exportSite } from './export-site.ts'
import { closeViewed } from './serve-viewer.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rolecall-secrets-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const secret = (place: string) => `S3CRET-${place}`

/** A model with a secret in every possible place. */
const leaky = (who: string) => ({
  type: 'openai',
  path: 'qwen',
  format: 'plain',
  key: [secret(`${who}-key`)],
  my_gateway_api_key: secret(`${who}-api-key`),
  base_url: `http://ann:${secret(`${who}-login`)}@127.0.0.1:9/v1?api_key=${secret(`${who}-query`)}`,
  proxies: { http: `http://proxy/?token=${secret(`${who}-proxy`)}` },
  headers: { 'X-Gate': secret(`${who}-header`), Authorization: `Bearer ${secret(`${who}-bearer`)}` },
  extra_body: { gateway: { pin: secret(`${who}-body`) }, tags: [secret(`${who}-list`)] },
  generation_kwargs: { access_token: secret(`${who}-kwargs`) },
})

const config = {
  models: [{ abbr: 'leaky', ...leaky('model'), fallback: { ...leaky('nested') } }],
  datasets: [
    {
      abbr: 'sums',
      rows: [{ question: '1+1=?', answer: '2' }],
      reader_cfg: { input_columns: ['question'], output_column: 'answer' },
      infer_cfg: {
        prompt_template: { template: '{question}' },
        retriever: { type: 'ZeroRetriever', ce_model: leaky('retriever') },
        inferencer: { type: 'GenInferencer' },
      },
      eval_cfg: {
        evaluator: { type: 'GenericLLMEvaluator', judge_cfg: leaky('judge'), prompt_template: { template: '{prediction}' } },
      },
    },
  ],
}

/** The files of a folder that contain a text. */
function filesWith(path: string, text: string): string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(path, name)).isFile() && readFileSync(join(path, name), 'latin1').includes(text))
    .map((name) => {
      const content = readFileSync(join(path, name), 'latin1')
      return `${name}: …${content.slice(Math.max(0, content.indexOf(text) - 40), content.indexOf(text) + 40)}`
    })
}

test('no file of a run or its exported site contains a secret of the config', async () => {
  const file = join(folder, 'config.json')
  writeFileSync(file, JSON.stringify(config))
  const loaded = await loadConfig(file)
  const generate = () => Promise.resolve({ text: '2', finish: 'stop' as const, tokens: { prompt: 1, reused: 0, reply: 1 }, notes: [] })
  const environment = { ...nodeEnvironment(folder), openModel: async () => ({ name: 'fake', generate }) }
  const { folder: run } = await runEvaluation(loaded, { workDir: join(folder, 'runs'), cache: join(folder, 'cache'), environment })
  const page = join(folder, 'page')
  mkdirSync(page)
  writeFileSync(join(page, 'index.html'), '')
  const sites = [join(folder, 'site-of-config'), join(folder, 'site-of-run')]
  for (const [index, path] of [file, run].entries()) {
    const viewed = { version: '0', ...(await openViewed([path])) }
    await exportSite(viewed, sites[index]!, { viewer: page })
    await closeViewed(viewed)
  }
  for (const path of [join(folder, 'runs'), join(folder, 'cache'), ...sites]) expect(filesWith(path, 'S3CRET')).toEqual([])
  // Everything else is there, and scoring still works.
  expect(readFileSync(join(run, 'configs/config.json'), 'utf8')).toContain('"http://127.0.0.1:9/v1?api_key=***"')
  expect(readFileSync(join(sites[0]!, 'data/site.json'), 'utf8')).toContain('"GenericLLMEvaluator"')
  await expect(scoreRun(run)).resolves.toMatchObject({ folder: run })
})
