import { compileChat, compilePrompt } from '@rolecall/core/internal/compile'
import type { Row } from '@rolecall/core/internal/conversation'
import { check, PromptError } from '@rolecall/core/internal/errors'
import type { Prompt } from '@rolecall/core/internal/format'
import { bodyOf, promptText } from '@rolecall/core/internal/format'
import { stringifyJson } from '@rolecall/core/internal/python'
import { tokenize } from '@rolecall/core/internal/tokenizer'
import type { z } from 'zod'
import type { DatasetConfig } from '../../evaluation/config/config-schema.ts'
import { datasetSchema } from '../../evaluation/config/dataset-schema.ts'
import { asWritten } from '../../evaluation/run/ask/as-written.ts'
import { registerPlugIns } from '../../node/plug-ins.ts'
import { buildChatPrompt, exactChatOf } from '../chat/chat-prompt.ts'
import { exactFields } from '../exact-fields.ts'
import { refuseOversizedPrompt } from '../prompt-length.ts'
import { checkFields, type RequestBody, readBody } from '../read-body.ts'
import { findModel, type PromptModel } from '../served-model.ts'
import { chatRenderRequest, renderRequest, rowRequest } from './render-request.ts'

registerPlugIns()

/** POST /v1/render: the exact prompt, with the source of each piece, and its token ids. Nothing is generated. */
export function renderRoute(server: { models: readonly PromptModel[] }, text: string): Response {
  const { fields, exact } = readBody(text, renderRequest)
  const { prompt, served } =
    fields.messages === undefined
      ? renderRow(server.models, { fields: checkFields(fields, rowRequest), exact })
      : renderChat(server.models, { fields: checkFields(fields, chatRenderRequest), exact })
  return Response.json(describePrompt(prompt, served))
}

type Rendered = { prompt: Prompt; served: PromptModel }

function renderChat(models: readonly PromptModel[], { fields, exact }: RequestBody<z.output<typeof chatRenderRequest>>): Rendered {
  const served = findModel(models, fields.model)
  const { value: prompt, notes } = asWritten(served.config, (written) => {
    const model = written === served.config ? served : { ...served, config: written, maker: compileChat(written) }
    return buildChatPrompt(model, fields, exactChatOf(exact)).prompt
  })
  return { prompt: { ...prompt, notes: [...notes, ...prompt.notes] }, served }
}

function renderRow(models: readonly PromptModel[], { fields, exact }: RequestBody<z.output<typeof rowRequest>>): Rendered {
  const served = findModel(models, fields.model)
  const { row, examples } = exactFields(exact, ['row', 'examples']) as { row: Row; examples?: readonly Row[] }
  const { mode, label } = fields
  const { value: prompt, notes } = withRequestPaths(() =>
    asWritten(
      served.config,
      (written) =>
        compilePrompt(written, datasetOf(fields)).render({
          row,
          mode: mode ?? 'gen',
          examples,
          ...(typeof label === 'string' ? { label } : {}),
        }).prompt,
    ),
  )
  return { prompt: { ...prompt, notes: [...notes, ...prompt.notes] }, served }
}

/** The request is converted into a dataset config; errors name the fields of the request. */
function withRequestPaths<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof PromptError)) throw error
    const where = error.where
      .replace(/^.* › (?=infer_cfg|reader_cfg)/, '')
      .replace(/\binfer_cfg\.prompt_template\.(?=template|ice_token)/, '')
      .replace(/\binfer_cfg\.ice_template(?:\.template)?/, 'ice_template')
      .replace(/\binfer_cfg\.prompt_template/, 'template')
      .replace(/\breader_cfg\./, '')
    throw new PromptError(error.code, { where, problem: error.problem.replaceAll('prompt_template', 'template'), fix: error.fix })
  }
}

function datasetOf({ template, ice_template: ice, ice_token: token, output_column: column }: z.output<typeof rowRequest>): DatasetConfig {
  const place = token === undefined || token === null ? {} : { ice_token: token }
  const dataset = {
    ...(column === undefined || column === null ? {} : { reader_cfg: { output_column: column } }),
    infer_cfg: { prompt_template: { template, ...place }, ...(ice === undefined ? {} : { ice_template: { template: ice } }) },
  }
  return check(datasetSchema, dataset, '') as DatasetConfig
}

function describePrompt(prompt: Prompt, served: PromptModel) {
  const {
    name,
    model: { tokenizer },
    maker: { format },
  } = served
  const { stop, notes, answer } = prompt
  const about = { object: 'prompt', model: name, format: format.name, kind: prompt.kind, stop, notes, answer: answer ?? null }
  if (prompt.kind === 'chat')
    return {
      ...about,
      messages: JSON.parse(bodyOf(prompt)) as unknown,
      tools: prompt.tools?.map(({ schema }) => JSON.parse(stringifyJson(schema)) as unknown) ?? null,
    }
  refuseOversizedPrompt(prompt, served)
  const tokenized = tokenizer && tokenize(prompt, tokenizer, { markers: format.markers, tokens: format.tokens })
  return {
    ...about,
    text: promptText(prompt),
    pieces: prompt.pieces,
    bos: prompt.bos,
    // Null if only the upstream server has the tokenizer.
    ids: tokenized?.ids ?? null,
    tokens: tokenized?.tokens ?? null,
  }
}
