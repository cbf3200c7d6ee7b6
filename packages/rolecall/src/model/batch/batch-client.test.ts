import { afterEach, describe, expect, test } from 'vitest'
import { type Scripted, type Seen, scriptedServer } from '../../../../../proof/testing/scripted-server.ts'
import { standInBatches } from '../../../../../proof/testing/stand-in-batches.ts'
import { PromptError } from '../../../../core/src/base/errors/prompt-error.ts'
import { plain } from '../../../../core/src/base/text/index.ts'
import type { Prompt } from '../../../../core/src/prompt/format/format.ts'
import { nodeClient } from '../../node/models/node-client.ts'
import { anthropicApi } from '../chat-apis/anthropic-api.ts'
import type { LanguageModel } from '../language-model/language-model.ts'
import { openai } from '../model-types/openai.ts'
import { fetchClient } from '../openai/http/fetch-client.ts'
import { HttpFailure } from '../openai/http/http-client.ts'
import { Server } from '../openai/http/model-server.ts'
import type { Wait } from '../openai/http/wait.ts'
import { openaiApi } from '../openai/openai-api.ts'
import { anthropicBatches } from './anthropic-batches.ts'
import type { BatchEntry, BatchJournal } from './batch-journal.ts'
import { connectBatch } from './connect-batch.ts'
import { openaiBatches, post } from './openai-batches.ts'

const opened: { close?(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close?.()
})

const services = { openai: [openaiApi, openaiBatches], anthropic: [anthropicApi(), anthropicBatches] } as const
type Service = keyof typeof services
const names = Object.keys(services) as Service[]

/** A journal as a file would keep it. */
function journal(entries: BatchEntry[] = []): BatchJournal & { entries: BatchEntry[] } {
  return { entries, add: (entry) => void entries.push(structuredClone(entry)) }
}

async function server(answer: (seen: Seen) => Scripted): Promise<string> {
  const started = await scriptedServer(answer)
  opened.push(started)
  return started.url
}

function modelAt(service: Service, url: string, kept = journal(), config: object = {}): LanguageModel & { waits: Wait[] } {
  const waits: Wait[] = []
  let skipped = 0
  const clock = {
    now: () => Date.now() + skipped,
    sleep: async (milliseconds: number) => {
      skipped += milliseconds
      await new Promise((resolve) => setTimeout(resolve, 5))
    },
  }
  const [api, batches] = services[service]
  const model = connectBatch(
    api,
    batches,
    { abbr: 'm', path: 'the-model', base_url: url, retries: 2, ...config },
    {
      environment: { OPENAI_API_KEY: 'secret-key-123', ANTHROPIC_API_KEY: 'secret-key-123' },
      connect: () => nodeClient({ environment: {} }),
      tokenizerOf: () => undefined,
    },
    { clock, random: () => 0.5, journal: kept, onWait: (wait) => waits.push(wait) },
  )
  const all = Object.assign({ ...model, waits })
  opened.unshift(all)
  return all
}

const from = { by: 'template', path: 'test' } as const
const asked = (text: string): Prompt => ({ kind: 'chat', messages: [{ role: 'user', content: [plain(text, from)] }], stop: [], notes: [] })
const options = { maxTokens: 5 }

/** What each question is answered with; failures as the name of their error. */
async function askAll(model: LanguageModel, questions: readonly string[], more: object = {}): Promise<string[]> {
  return Promise.all(
    questions.map((question) =>
      model.generate(asked(question), { ...options, ...more }).then(
        ({ text }) => text,
        (error: unknown) => (error instanceof PromptError ? error.code : String(error)),
      ),
    ),
  )
}

describe.for(names)('requests in batches of %s', (service) => {
  test('are submitted together and answered each with its own result', async () => {
    const standIn = standInBatches(service, { polls: 3 })
    const model = modelAt(service, await server(standIn.answer))
    const questions = Array.from({ length: 40 }, (_, index) => `q${index}`)
    expect(await askAll(model, questions)).toEqual(questions.map((question) => `${question}!`))
    expect(standIn.batches.map(({ requests }) => requests.length)).toEqual([40])
    expect(model.waits.map(({ for: why, reason }) => [why, reason.includes('of 40 requests are done')])).toEqual(
      Array(3).fill(['batch', true]),
    )
  })

  test('that were submitted by a process that was killed are not paid for twice', async () => {
    // Not done before the process is killed, however fast it asks.
    const standIn = standInBatches(service, { polls: 200 })
    const url = await server(standIn.answer)
    const kept = journal()
    const killed = modelAt(service, url, kept)
    const lost = askAll(killed, ['a', 'b', 'c', 'a'])
    await expect.poll(() => kept.entries.length).toBeGreaterThan(1)
    await killed.close?.()
    await lost
    standIn.finish()
    const later = modelAt(service, url, journal(kept.entries))
    expect(await askAll(later, ['c', 'a', 'd', 'a', 'b'])).toEqual(['c!', 'a!', 'd!', 'a!', 'b!'])
    expect(standIn.batches.map(({ requests }) => requests.length)).toEqual([4, 1])
  })

  test('whose submission was killed before the id was known are found', async () => {
    const standIn = standInBatches(service, { polls: 1 })
    const url = await server(standIn.answer)
    const kept = journal()
    await askAll(modelAt(service, url, kept), ['a', 'b'])
    const entries = kept.entries.filter(({ kind }) => kind === 'submitting')
    expect(await askAll(modelAt(service, url, journal(entries)), ['a', 'b'])).toEqual(['a!', 'b!'])
    expect(standIn.batches).toHaveLength(1)
  })

  test('that join while the results of their batch are read are answered by it', async () => {
    const standIn = standInBatches(service, { polls: 0 })
    const url = await server(standIn.answer)
    const kept = journal()
    const killed = modelAt(service, url, kept)
    const before = askAll(killed, ['a', 'b', 'c'])
    await expect.poll(() => kept.entries.some(({ kind }) => kind === 'submitted')).toBe(true)
    await killed.close?.()
    await before
    const entries = kept.entries.filter(({ kind }) => kind !== 'done')
    const later = modelAt(service, url, journal(entries))
    const first = askAll(later, ['a'])
    // One after the other, at every stage of the first.
    const others: Promise<string[]>[] = []
    for (const question of ['b', 'c']) {
      await new Promise((resolve) => setTimeout(resolve, 9))
      others.push(askAll(later, [question]))
    }
    expect([await first, ...(await Promise.all(others))]).toEqual([['a!'], ['b!'], ['c!']])
    expect(standIn.batches).toHaveLength(1)
  })

  test('whose submission never came to the service are submitted', async () => {
    const standIn = standInBatches(service, { polls: 0 })
    const url = await server(standIn.answer)
    const kept = journal()
    await askAll(modelAt(service, url, kept), ['a', 'b'])
    standIn.batches.length = 0
    const entries = kept.entries.filter(({ kind }) => kind === 'submitting')
    expect(await askAll(modelAt(service, url, journal(entries), { retries: 0 }), ['a', 'b'])).toEqual(['a!', 'b!'])
    expect(standIn.batches).toHaveLength(1)
  })

  test('whose submission is answered with nothing are submitted once', async () => {
    const standIn = standInBatches(service, { polls: 1, breaks: 1 })
    const model = modelAt(service, await server(standIn.answer))
    expect(await askAll(model, ['a', 'b'])).toEqual(['a!', 'b!'])
    expect(standIn.batches).toHaveLength(1)
  })

  test('that failed or expired are sent once more, in another batch', async () => {
    const standIn = standInBatches(service, {
      polls: 1,
      outcome: (id, batch) => (batch > 0 ? 'ok' : id === 0 ? 'error' : id === 1 ? 'expired' : 'ok'),
    })
    const model = modelAt(service, await server(standIn.answer))
    expect(await askAll(model, ['a', 'b', 'c'])).toEqual(['a!', 'b!', 'c!'])
    const [first = 0, ...later] = standIn.batches.map(({ requests }) => requests.length)
    // With a clock that skips waits, the two may come apart.
    expect([first, later.reduce((sum, size) => sum + size, 0)]).toEqual([3, 2])
  })

  test('that fail again and again fail their row', async () => {
    const standIn = standInBatches(service, { polls: 0, outcome: (id) => (id === 0 ? 'error' : 'ok') })
    const model = modelAt(service, await server(standIn.answer), journal(), { retries: 1 })
    expect(await askAll(model, ['a'])).toEqual(['request-failed'])
    expect(standIn.batches).toHaveLength(2)
  })

  test('of a cancelled batch end the run; what was answered is kept, the rest is sent when it is resumed', async () => {
    const standIn = standInBatches(service, { polls: 1, outcome: (id, batch) => (id === 0 || batch > 0 ? 'ok' : 'cancelled') })
    const url = await server(standIn.answer)
    const kept = journal()
    expect(await askAll(modelAt(service, url, kept), ['a', 'b'])).toEqual(['a!', 'batch-failed'])
    expect(await askAll(modelAt(service, url, journal(kept.entries)), ['b'])).toEqual(['b!'])
    expect(standIn.batches.map(({ requests }) => requests.length)).toEqual([2, 1])
  })

  test('that are refused are errors of their rows', async () => {
    const standIn = standInBatches(service, { polls: 0, outcome: () => 'refused' })
    expect(await askAll(modelAt(service, await server(standIn.answer)), ['a'])).toEqual(['refused'])
  })

  test('an aborted row leaves its batch, and the others are answered', async () => {
    const standIn = standInBatches(service, { polls: 200 })
    const model = modelAt(service, await server(standIn.answer))
    const left = new AbortController()
    const gone = model.generate(asked('a'), { ...options, signal: left.signal })
    const others = askAll(model, ['b', 'c'])
    await expect.poll(() => standIn.batches.length).toBe(1)
    left.abort()
    await gone
    standIn.finish()
    expect([(await gone).finish, await others]).toEqual(['aborted', ['b!', 'c!']])
  })

  test.for([[{}], [[]], ['null'], [{ status: 'dancing', processing_status: 'dancing' }]] as const)(
    'a poll that is answered %j once is repeated, and nothing is paid for twice',
    async ([json]) => {
      const standIn = standInBatches(service, { polls: 1 })
      let garbage = 1
      const url = await server((seen) => {
        const isPoll = seen.method === 'GET' && /\/batch_0$/.test(seen.path)
        if (!isPoll || garbage-- <= 0) return standIn.answer(seen)
        return typeof json === 'string' ? { text: json } : { json }
      })
      expect(await askAll(modelAt(service, url), ['a', 'b'])).toEqual(['a!', 'b!'])
      expect(standIn.batches).toHaveLength(1)
    },
  )

  test('that cannot be written to the journal are rejected, and not sent', async () => {
    const standIn = standInBatches(service, { polls: 0 })
    const full: BatchJournal = {
      entries: [],
      add() {
        throw new Error('ENOSPC')
      },
    }
    const model = modelAt(service, await server(standIn.answer), full as ReturnType<typeof journal>)
    expect(await askAll(model, ['a', 'b'])).toEqual(['Error: ENOSPC', 'Error: ENOSPC'])
    expect(standIn.batches).toHaveLength(0)
  })

  test('of a batch that ended without results are not paid for again: they are looked for, then the run ends', async () => {
    const standIn = standInBatches(service, { polls: 0 })
    let hidden = 3
    const isBatch = (path: string) => /\/batch_0$/.test(path)
    const url = await server((seen) => {
      const answer = standIn.answer(seen)
      if (!isBatch(seen.path) || !('json' in answer) || hidden-- <= 0) return answer
      return { json: { ...(answer.json as object), output_file_id: null, results_url: null } }
    })
    expect(await askAll(modelAt(service, url), ['a', 'b'])).toEqual(['a!', 'b!'])
    hidden = 1000
    standIn.batches.length = 0
    const kept = journal()
    expect(await askAll(modelAt(service, url, kept), ['a', 'b'])).toEqual(['batch-failed', 'batch-failed'])
    hidden = 0
    expect(await askAll(modelAt(service, url, journal(kept.entries)), ['a', 'b'])).toEqual(['a!', 'b!'])
    expect(standIn.batches).toHaveLength(1)
  })

  test('of a batch that the service no longer has end the run, which names the batch', async () => {
    const standIn = standInBatches(service, { polls: 0 })
    const url = await server((seen) =>
      /\/batch_0$/.test(seen.path) ? { status: 404, json: { error: { message: 'not found' } } } : standIn.answer(seen),
    )
    await expect(modelAt(service, url).generate(asked('a'), options)).rejects.toMatchObject({
      code: 'batch-failed',
      message: expect.stringContaining('batch_0'),
    })
    expect(standIn.batches).toHaveLength(1)
  })

  test('that were answered are kept for the next process: this one may be killed before the row is recorded', async () => {
    const standIn = standInBatches(service, { polls: 0 })
    const url = await server(standIn.answer)
    const kept = journal()
    const model = modelAt(service, url, kept)
    expect(await askAll(model, ['a', 'b'])).toEqual(['a!', 'b!'])
    await model.close?.()
    expect(await askAll(modelAt(service, url, journal(kept.entries)), ['a', 'b'])).toEqual(['a!', 'b!'])
    expect(standIn.batches).toHaveLength(1)
  })

  test('a list of batches that is none is not taken for an empty one', async () => {
    const standIn = standInBatches(service, { polls: 1 })
    let garbage = 1
    const url = await server((seen) => {
      const isList = seen.path.includes('limit=100')
      return isList && garbage-- > 0 ? { json: {} } : standIn.answer(seen)
    })
    const kept = journal()
    await askAll(modelAt(service, url, kept), ['a', 'b'])
    const entries = kept.entries.filter(({ kind }) => kind === 'submitting')
    expect(await askAll(modelAt(service, url, journal(entries)), ['a', 'b'])).toEqual(['a!', 'b!'])
    expect(standIn.batches).toHaveLength(1)
  })

  test.for([
    ['a status that is none', { status: 'dancing', processing_status: 'dancing' }],
    ['a list', []],
    ['no JSON', 'x'],
  ] as const)('%s of a batch ends in an error, not in answers', async ([, json]) => {
    const standIn = standInBatches(service, { polls: 0, status: json })
    const codes = await askAll(modelAt(service, await server(standIn.answer), journal(), { retries: 0 }), ['a', 'b'])
    expect(codes.every((code) => ['request-failed', 'server-down'].includes(code))).toBe(true)
  })

  test('results that are torn, foreign or garbage answer no row', async () => {
    const standIn = standInBatches(service, {
      polls: 0,
      lines: ['{"custom_id": "someone-0", "result": {"type": "succeeded"}, "response": {"status_code": 200, "body": {}}}', '{"custom'],
    })
    const codes = await askAll(modelAt(service, await server(standIn.answer), journal(), { retries: 0 }), ['a'])
    expect(codes).toEqual(['request-failed'])
  })

  test('cannot score text, and the reason is named', async () => {
    const model = modelAt(service, 'http://127.0.0.1:9/v1')
    await expect(model.score?.([])).rejects.toMatchObject({ code: 'cannot-score', message: expect.stringContaining('--batch') })
  })
})

test('a batch that OpenAI refuses as a whole ends the run', async () => {
  const standIn = standInBatches('openai', {
    polls: 0,
    status: { status: 'failed', errors: { data: [{ message: 'Enqueued token limit reached for secret-key-123' }] } },
  })
  const model = modelAt('openai', await server(standIn.answer))
  await expect(model.generate(asked('a'), options)).rejects.toMatchObject({
    code: 'batch-failed',
    message: expect.stringContaining('Enqueued token limit reached for ***'),
  })
})

test('the batch of another client of the same size and time is not taken for a lost one', async () => {
  const standIn = standInBatches('anthropic', { polls: 1 })
  const url = await server((seen) => {
    // The latest first, as the service lists them.
    const answer = standIn.answer(seen)
    if (!seen.path.includes('limit=100') || !('json' in answer)) return answer
    return { json: { data: (answer.json as { data: unknown[] }).data.toReversed() } }
  })
  const kept = journal()
  await askAll(modelAt('anthropic', url, kept), ['a', 'b'])
  await askAll(modelAt('anthropic', url), ['c', 'd'])
  const entries = kept.entries.filter(({ kind }) => kind === 'submitting')
  const later = journal(entries)
  expect(await askAll(modelAt('anthropic', url, later), ['a', 'b'])).toEqual(['a!', 'b!'])
  expect(standIn.batches).toHaveLength(2)
  expect(later.entries).toContainEqual(expect.objectContaining({ kind: 'submitted', batch: 'batch_0' }))
})

test('models of one name at two addresses have two journals, without the password of an address', async () => {
  const journals: string[] = []
  const batchJournal = (name: string) => {
    journals.push(name)
    return journal()
  }
  const host = {
    environment: { OPENAI_API_KEY: 'x' },
    connect: () => nodeClient({ environment: {} }),
    tokenizerOf: () => undefined,
  }
  for (const [abbr, at] of [
    ['m', 'a'],
    ['m', 'u:secret@b'],
    ['n', 'a'],
  ]) {
    const config = { type: 'openai', abbr, path: 'p', base_url: `http://${at}.test/v1`, batch: true }
    opened.push(await openai.open(config as never, { host, batchJournal } as never))
  }
  expect(journals).toEqual(['openai:p:m@http://a.test/v1', 'openai:p:m@http://b.test/v1', 'openai:p:n@http://a.test/v1'])
})

test('a creation whose connection timed out is not sent again unseen', async () => {
  let sent = 0
  const control = new Server({
    client: async () => {
      sent++
      throw new HttpFailure('unreachable', 'ETIMEDOUT')
    },
    baseUrl: 'http://127.0.0.1:9/v1',
    headers: {},
    name: { where: 'm', shown: 'x', model: 'm', keyName: 'K', hasKey: true, secrets: [] },
    ...{ concurrency: 1, timeout: 1000, retries: 5, longestWait: 1000, longestDown: 10_000 },
    clock: { now: () => Date.now(), sleep: async () => undefined },
    random: () => 0.5,
  })
  await expect(post(control, '/batches', '{}')).rejects.toMatchObject({ kind: 'unreachable' })
  expect(sent).toBe(1)
})

test('a redirect is not followed by fetch, because the headers have the key', async () => {
  const other = await server(() => ({ json: {} }))
  const url = await server(() => ({ status: 302, headers: { location: other }, json: {} }))
  const reply = await fetchClient()({ url, method: 'GET', headers: { 'x-api-key': 'secret' } })
  expect(reply.status).toBe(302)
  reply.discard()
  const hidden = Object.defineProperty(Response.error(), 'type', { value: 'opaqueredirect' })
  await expect(fetchClient(async () => hidden)({ url, method: 'GET', headers: {} })).rejects.toMatchObject({ kind: 'impossible' })
})

test('a result nested too deeply fails its own request only', () => {
  const deep = `${'['.repeat(1500)}${']'.repeat(1500)}`
  const line = `{"custom_id":"a-0","result":{"type":"succeeded","message":{"content":[{"type":"tool_use","id":"1","name":"f","input":{"x":${deep}}}]}}}`
  expect(anthropicBatches.readLine(line)).toMatchObject({ id: 'a-0', status: 500 })
})
