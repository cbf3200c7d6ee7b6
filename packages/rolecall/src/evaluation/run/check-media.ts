import type { Row } from '@rolecall/core/internal/conversation'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'
import { stringifyJson } from '@rolecall/core/internal/python'
import { refuseMedia } from '../../model/language-model/refuse-media.ts'
import { refuseNamedFiles } from '../../model/openai/inline-media.ts'
import type { DatasetConfig } from '../config/config-schema.ts'
import type { Chunks } from '../dataset/chunks.ts'
import type { RequestPlan } from './ask/inferencer.ts'
import { allRequests, startRow } from './ask/start-row.ts'

/** Errors about a part that cannot be sent, or is not there. */
const ofParts = new Set([
  'no-images',
  'images-not-supported',
  'no-media',
  'bad-message',
  'part-not-written',
  'part-refused',
  'row-names-file',
])

/** A prompt that is text cannot carry media, whichever model reads it; one of messages carries no file that a row names itself. */
export function checkPromptMedia(prompt: Prompt, model: string): void {
  if (prompt.kind === 'completion') refuseMedia(prompt.pieces, model)
  else refuseNamedFiles(prompt)
}

/**
 * Renders every row that may have media, without examples: a part that the format or the model cannot take is an error before the first
 * request, with the number of the row.
 */
export async function checkMedia(plan: RequestPlan, model: string, chunks: Chunks<Row>): Promise<void> {
  const mayHave = rowsWithMedia(plan.dataset, plan.inferencer.readsChats === true)
  if (mayHave === undefined) return
  let id = 0
  for await (const chunk of chunks)
    for (const row of chunk) {
      if (mayHave(row)) checkRow(plan, model, row, id)
      id++
    }
}

function checkRow(plan: RequestPlan, model: string, row: Row, id: number): void {
  try {
    for (const { prompts } of allRequests(plan, startRow(plan, { row, examples: [] })))
      for (const { prompt } of prompts) checkPromptMedia(prompt, model)
  } catch (error) {
    // What else is wrong with a row is found, recorded and counted when it is sent.
    const located = error instanceof PromptError ? withRow(error, plan, id) : undefined
    if (located) throw located
  }
}

/** An error about a part, with the place of its row; undefined if it is about something else. */
export function withRow({ code, where, problem, fix }: PromptError, plan: RequestPlan, id: number): PromptError | undefined {
  return ofParts.has(code) ? new PromptError(code, { where: `${plan.where} › row ${id} › ${where}`, problem, fix }) : undefined
}

/** Which rows may have media; undefined if none of the dataset has any. */
function rowsWithMedia(
  { infer_cfg, media_columns, lm_eval: task }: DatasetConfig,
  readsChats: boolean,
): ((row: Row) => boolean) | undefined {
  const templates = JSON.stringify([infer_cfg, (task as { task?: object } | undefined)?.task ?? null])
  if (media_columns || /"(?:content":\[|prompt_mm"|doc_to_image"|doc_to_audio")/.test(templates)) return () => true
  // Rows that are chats, or messages of a template that are a field.
  if (readsChats || templates.includes('"messages"')) return (row) => /"(?:image|audio|video|file|input)[_"]/.test(stringifyJson(row))
  return undefined
}
