import { createHash } from 'node:crypto'
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

/** A recorded row with the prompts it was sent, if they can be rendered again byte for byte. */
export type RowWithPrompts = { record: RowRecord; sent?: { prompts: Prompt[]; text: string } }

/**
 * Recorded rows, in the order of their numbers, with their prompts rendered again from config and dataset and compared with the recorded
 * hashes. Rows are read one by one. `note` is called if the dataset cannot be read, and with the number of rows without prompts.
 */
export async function* recordedPrompts(
  pair: Pair,
  home: string,
  records: Iterable<RowRecord>,
  note: (text: string) => void,
): AsyncGenerator<RowWithPrompts> {
  const wanted = { id: 0 }
  const rendered = renderedRows(pair, home, wanted)
  let next: RenderedRow | undefined = beforeFirst
  let changed = 0
  try {
    for (const record of records) {
      wanted.id = record.id
      while (next !== undefined && next.id < record.id) next = await nextOf(rendered, note)
      const prompts = next?.id === record.id ? next.promptsWith(record.examples) : undefined
      const bodies = prompts?.map(sentText)
      if (bodies === undefined || sha256(bodies.join('\u0000')) !== record.prompt_hash) {
        changed++
        yield { record }
      } else yield { record, sent: { prompts: prompts!, text: bodies.join('\n') } }
    }
  } finally {
    // A dataset may have more rows than were sent.
    await rendered.return(undefined)
  }
  if (changed > 0)
    note(
      `${pair.name.model} · ${pair.name.dataset}: ${changed} rows without their prompts, which cannot be rendered again as they were sent`,
    )
}

type RenderedRow = { id: number; promptsWith: (examples: { used: number; dropped: number }) => Prompt[] }

const beforeFirst: RenderedRow = { id: -1, promptsWith: () => [] }

/** The rows of the dataset from `wanted.id` on, which may grow: examples are chosen only for those. */
async function* renderedRows(pair: Pair, home: string, wanted: { readonly id: number }): AsyncGenerator<RenderedRow> {
  const opened = await nodeEnvironment(home).openRows(pair.dataset)
  const plan = planRequests(pair, { tokenizer: tokenizerOf(pair.model, home) })
  let id = 0
  for await (const row of oneByOne(opened.rows)) {
    if (id >= wanted.id) {
      const examples = await opened.examplesFor(row, id)
      yield {
        id,
        promptsWith: ({ used, dropped }) => {
          const shown = dropped === 0 ? examples : examples.slice(0, used)
          return allRequests(plan, startRow(plan, { row, examples: shown })).flatMap(({ prompts }) => prompts.map(({ prompt }) => prompt))
        },
      }
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
    // Parentheses quote the file, notes are published, and the config of somebody else's run may name any file.
    note(`the rows of the dataset cannot be read again: ${error.problem.replace(/ \(.*/s, '')} (${error.where})`)
    return undefined
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
