import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'
import { oneByOne } from '../../evaluation/dataset/chunks.ts'
import { planRequests } from '../../evaluation/run/ask/plan-requests.ts'
import { sentText } from '../../evaluation/run/ask/request-text.ts'
import { allRequests, startRow } from '../../evaluation/run/ask/start-row.ts'
import type { RowRecord } from '../../evaluation/run/record/run-record.ts'
import type { Pair } from '../../evaluation/run/run-pairs.ts'
import { tokenizerOf } from '../models/load-tokenizer.ts'
import { nodeEnvironment } from './node-environment.ts'
import { openRecords } from './records/records.ts'
import type { PairFiles } from './run-layout.ts'

/** A recorded row with the prompts it was sent, if they can be rendered again byte for byte. */
export type RowWithPrompts = { record: RowRecord; sent?: { prompts: Prompt[]; text: string } }

/**
 * The rows of a pair in the order of its records, with their prompts rendered again from config and dataset and compared with the
 * recorded hashes. Rows are read one by one. `note` is called if the dataset cannot be read, and with the number of rows without prompts.
 */
export async function* recordedPrompts(
  folder: string,
  files: PairFiles,
  pair: Pair,
  home: string,
  note: (text: string) => void,
): AsyncGenerator<RowWithPrompts> {
  const records = openRecords(join(folder, files.predictions))
  const rendered = renderedRows(pair, home)
  let changed = 0
  try {
    let next = await nextOf(rendered, note)
    for (let place = 0; place < records.count; place++) {
      const record = records.read(place, place + 1)[0]!
      while (next !== undefined && next.id < record.id) next = await nextOf(rendered, note)
      const prompts = next?.id === record.id ? next.promptsWith(record.examples) : undefined
      const bodies = prompts?.map(sentText)
      if (bodies === undefined || sha256(bodies.join('\u0000')) !== record.prompt_hash) {
        changed++
        yield { record }
      } else yield { record, sent: { prompts: prompts!, text: bodies.join('\n') } }
    }
  } finally {
    records.close()
    // A dataset may have more rows than were sent.
    await rendered.return(undefined)
  }
  if (changed > 0)
    note(`${files.model} · ${files.dataset}: ${changed} rows without their prompts, which cannot be rendered again as they were sent`)
}

type RenderedRow = { id: number; promptsWith: (examples: { used: number; dropped: number }) => Prompt[] }

async function* renderedRows(pair: Pair, home: string): AsyncGenerator<RenderedRow> {
  const opened = await nodeEnvironment(home).openRows(pair.dataset)
  const plan = planRequests(pair, { tokenizer: tokenizerOf(pair.model, home) })
  let id = 0
  for await (const row of oneByOne(opened.rows)) {
    const examples = await opened.examplesFor(row, id)
    yield {
      id,
      promptsWith: ({ used, dropped }) => {
        const shown = dropped === 0 ? examples : examples.slice(0, used)
        return allRequests(plan, startRow(plan, { row, examples: shown })).flatMap(({ prompts }) => prompts.map(({ prompt }) => prompt))
      },
    }
    id++
  }
}

/** Rows that are gone or unreadable end the prompts, not the rows. */
async function nextOf(rows: AsyncGenerator<RenderedRow>, note: (text: string) => void): Promise<RenderedRow | undefined> {
  try {
    const { value, done } = await rows.next()
    return done ? undefined : value
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    note(`the rows of the dataset cannot be read again: ${error.problem} (${error.where})`)
    return undefined
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
