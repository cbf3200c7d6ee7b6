import { textOf } from '../../../packages/core/src/base/text/index.ts'
import type { Prompt } from '../../../packages/core/src/prompt/format/format.ts'
import { defaultJudge, withJudge } from '../../../packages/rolecall/src/compat/opencompass/default-judge.ts'
import { registerOpenCompass } from '../../../packages/rolecall/src/compat/opencompass/register-opencompass.ts'
import type { DatasetConfig, ModelConfig } from '../../../packages/rolecall/src/evaluation/config/config-schema.ts'
import type { PairResult, RowRecord } from '../../../packages/rolecall/src/evaluation/run/record/run-record.ts'
import { planRun, runPairs } from '../../../packages/rolecall/src/evaluation/run/run-pairs.ts'
import { notAsked } from '../../../packages/rolecall/src/evaluation/score/evaluate/evaluator.ts'
import type { GenerateOptions, LanguageModel } from '../../../packages/rolecall/src/model/language-model/language-model.ts'
import { nodeEnvironment } from '../../../packages/rolecall/src/node/runs/node-environment.ts'
import { peers } from '../scoring/peers.ts'
import type { JudgeVector } from './vector.ts'

registerOpenCompass()

type Request = Record<string, unknown>
export type JudgedRun = { requests: Request[]; result: PairResult; records: RowRecord[] }

/**
 * Runs a dataset with recorded answers and a judge that gives these replies, in the order of the reference's requests: the whole path of
 * `rolecall run`, but for the connection.
 */
export async function runJudged(vector: JudgeVector, replies: readonly string[]): Promise<JudgedRun> {
  const { dataset, n, size } = datasetOf(vector)
  const order = replicaOrder(n, size)
  if (replies.length === order.length) return inOrder(await run(vector, dataset, order, replies), order)
  // The rule decides which answers the judge sees: a first run finds them.
  const { records } = await run(vector, dataset, order, [])
  const open = records.flatMap(({ details = {} }) => [details.judge_said ?? null].flat()).map((said) => said !== notAsked)
  const asked = order.filter((_, index) => open[index])
  const places = asked.map((place) => asked.filter((other) => other < place).length)
  return inOrder(await run(vector, dataset, order, replies, places), places)
}

/** `places` are the places of our requests among the reference's. */
async function run(
  { predictions, environment }: JudgeVector,
  dataset: DatasetConfig,
  order: readonly number[],
  replies: readonly string[],
  places = order,
): Promise<JudgedRun> {
  const answers = order.map((place) => predictions[place]!)
  const said = places.map((place) => replies[place] ?? 'no verdict')
  const requests: Request[] = []
  const openModel = async (config: ModelConfig): Promise<LanguageModel> => {
    const isJudge = config.path === environment.OC_JUDGE_MODEL
    return {
      name: isJudge ? 'judge' : 'model',
      generate: async (prompt, options) => {
        if (isJudge) requests.push(requestOf(config, prompt, options))
        const text = (isJudge ? said : answers).shift() ?? ''
        return { text, finish: 'stop', tokens: { prompt: 1, reused: 0, reply: 1 }, notes: [] }
      },
    }
  }
  const records: RowRecord[] = []
  const results: PairResult[] = []
  const pairs = planRun([{ abbr: 'm', type: 'openai', path: 'm' } as ModelConfig], [dataset], peers)
  for await (const event of runPairs(pairs, { ...nodeEnvironment('.'), openModel }, { workers: 1, throwErrors: true })) {
    if (event.kind === 'row') records.push(event.record)
    if (event.kind === 'end') results.push(event.result)
  }
  return { requests, result: results[0]!, records: records.sort((a, b) => a.id - b.id) }
}

/** The dataset with the vector's rows in place of its loader, and the default judge. */
function datasetOf({ dataset, rows, environment }: JudgeVector): { dataset: DatasetConfig; n: number; size: number } {
  const { abbr, reader_cfg, infer_cfg, eval_cfg, n = 1 } = dataset
  const size = rows.length / n
  const own = { abbr, reader_cfg: withoutSplits(reader_cfg), infer_cfg, eval_cfg, rows: rows.slice(0, size), compat: 'opencompass' }
  return { dataset: withJudge({ ...own, ...(n > 1 ? { n } : {}) } as DatasetConfig, defaultJudge(environment)), n, size }
}

/** Rows are as the reader gives them. */
function withoutSplits(reader: unknown): unknown {
  const { train_split: _, test_split: __, train_range: ___, test_range: ____, ...rest } = (reader ?? {}) as Record<string, unknown>
  return rest
}

/** The reference repeats all rows `n` times; Rolecall asks for `n` answers to one row after another. */
function replicaOrder(n: number, size: number): number[] {
  return Array.from({ length: size }, (_, row) => Array.from({ length: n }, (_, replica) => replica * size + row)).flat()
}

/** A run with its requests in the reference's order. */
function inOrder(run: JudgedRun, places: readonly number[]): JudgedRun {
  const requests: Request[] = []
  for (const [index, place] of places.entries()) if (run.requests[index]) requests[place] = run.requests[index]
  return { ...run, requests }
}

/** The fields of a request that the vectors compare. */
function requestOf(config: ModelConfig, prompt: Prompt, { maxTokens, sampling }: GenerateOptions): Request {
  return {
    model: config.path,
    messages: prompt.kind === 'chat' ? prompt.messages.map(({ role, content }) => ({ role, content: textOf(content) })) : null,
    max_tokens: maxTokens,
    temperature: sampling?.temperature,
  }
}
