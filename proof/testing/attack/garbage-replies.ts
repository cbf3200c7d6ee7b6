import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolecall } from '../rolecall.ts'
import { scriptedServer } from '../scripted-server.ts'
import type { Attack } from './attack.ts'

const choice = (message: unknown, more: object = {}) => ({ choices: [{ index: 0, message, finish_reason: 'stop', ...more }] })
const event = (...data: unknown[]) => data.map((each) => `data: ${typeof each === 'string' ? each : JSON.stringify(each)}\n\n`).join('')
const delta = (content: unknown) => ({ choices: [{ index: 0, delta: content }] })
const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }

const anyApi: readonly unknown[] = [
  ...[{}, null, [], '"A"', '', '<html>A</html>', '{"choices":[{"message":{"content":"A"', { error: 'boom' }, { detail: 'no' }],
  ...[null, {}, [], [{}], ['A'], [5], [[{ message: { content: 'A' } }]], [{ error: { message: 'boom' } }]].map((choices) => ({ choices })),
]
const contents: readonly unknown[] = [null, 5, true, { text: 'A' }, [], [{}], [null], [{ type: 'text', text: 7 }]]

/** Replies that say nothing about the model, by API. */
const garbage: Readonly<Record<string, readonly unknown[]>> = {
  chat: [
    ...anyApi,
    ...[null, 'A', ['A'], {}].map((message) => choice(message)),
    ...contents.map((content) => choice({ role: 'assistant', content })),
    ...[[null, 5, {}], {}, 'x'].map((calls) => choice({ content: null, tool_calls: calls })),
    ...['error', null, 7].map((finish) => choice({ content: null }, { finish_reason: finish })),
    choice({ content: null, refusal: '' }),
  ],
  completions: [...anyApi, ...contents.map((text) => ({ choices: [{ text, finish_reason: 'stop' }] })), choice({ content: null })],
  stream: [
    ...['', ': comment\n\n', 'event: error\ndata: {"message":"boom"}\n\n', '<html>', event('[DONE]'), event(end, '[DONE]')],
    ...[null, 'A', { role: 'assistant' }, ...contents.map((content) => ({ content })), { tool_calls: [null, 5, {}] }].map((each) =>
      event(delta(each), end, '[DONE]'),
    ),
    ...['{bad', '[]', 'null', { error: { message: 'boom' } }, { choices: [{ error: 'boom' }] }].map((each) => event(each, end, '[DONE]')),
    event(delta({ content: 'A' }), '{bad', '[DONE]'),
    event(delta({ content: 'A' })),
  ],
}
const honest = {
  chat: choice({ role: 'assistant', content: 'A' }),
  completions: { choices: [{ text: 'A', finish_reason: 'stop' }] },
  stream: event(delta({ content: 'A' }), end, '[DONE]'),
}

/** Garbage of a model's or a judge's server, between honest replies, through `run`. */
export const garbageReplies: Attack = {
  name: 'garbage replies',
  holds: 'no garbage of any API, model or judge is scored: its row fails, and the others are scored',
  async run({ chance, goesOn, tried, gotThrough }) {
    const folder = mkdtempSync(join(tmpdir(), 'rolecall-garbage-'))
    let sent: { reply: unknown; honest: unknown } = { reply: undefined, honest: undefined }
    const server = await scriptedServer(({ body, path }) => {
      const reply = body.includes('ROW-1') && path.includes('/odd/') ? sent.reply : sent.honest
      return { text: typeof reply === 'string' ? reply : JSON.stringify(reply), headers: { 'content-type': typeOf(reply) } }
    })
    const typeOf = (reply: unknown) =>
      typeof reply === 'string' && !reply.startsWith('<') && sent.honest === honest.stream ? 'text/event-stream' : 'application/json'
    const model = (abbr: string, where: string, more: object) => ({
      ...{ abbr, type: 'openai', path: 'm', base_url: server.url.replace('/v1', `/${where}/v1`), key_env: 'NO_KEY', retries: 0 },
      ...more,
    })
    try {
      while (goesOn()) {
        const api = chance.pick(['chat', 'completions', 'stream', 'judge'] as const)
        const kind = api === 'judge' ? 'chat' : api
        const more = {
          ...{ chat: { format: 'messages' }, completions: { format: 'chatml', endpoint: 'completions' } }[
            kind === 'stream' ? 'chat' : kind
          ],
          ...(kind === 'stream' ? { stream: true } : {}),
        }
        sent = { reply: chance.pick(garbage[kind] ?? []), honest: honest[kind] }
        const judging = {
          type: 'GenericLLMEvaluator',
          judge_cfg: model('j', 'odd', more),
          prompt_template: { template: { round: [{ role: 'HUMAN', prompt: 'Is {prediction} right for {q}? A or B' }] } },
          dict_postprocessor: { type: 'generic_llmjudge_postprocess' },
        }
        const dataset = {
          abbr: 'd',
          rows: [0, 1, 2].map((row) => ({ q: `ROW-${row}.`, a: 'A' })),
          reader_cfg: { input_columns: ['q'], output_column: 'a' },
          infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: '{q}' }] } } },
          eval_cfg: { evaluator: api === 'judge' ? judging : { type: 'AccEvaluator' } },
        }
        const models = [model('m', api === 'judge' ? 'good' : 'odd', more)]
        writeFileSync(join(folder, 'config.json'), JSON.stringify({ models, datasets: [dataset] }))
        rmSync(join(folder, 'out'), { recursive: true, force: true })
        const { code, stderr } = await rolecall(['run', 'config.json', '-w', 'out', '--no-cache'], folder)
        tried()
        const how = `${api}: ${JSON.stringify(sent.reply)} ended with ${code}`
        const records = readdirSync(join(folder, 'out'), { recursive: true, encoding: 'utf8' })
          .filter((file) => file.endsWith('d.jsonl'))
          .flatMap((file) =>
            readFileSync(join(folder, 'out', file), 'utf8')
              .trim()
              .split('\n')
              .map((line) => JSON.parse(line) as { id: number; outcome?: string; score?: number }),
          )
        const last = (id: number) => records.findLast((record) => record.id === id)
        if (code !== 4 || last(1)?.outcome !== 'failed') gotThrough(`${how}, the row ${JSON.stringify(last(1))?.slice(0, 300)}`)
        // The control: honest replies beside it are scored.
        if (last(0)?.score !== 1 || last(2)?.score !== 1) gotThrough(`${how}, honest rows were not scored: ${stderr.slice(0, 300)}`)
      }
    } finally {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
