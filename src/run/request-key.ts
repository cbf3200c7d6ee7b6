import { generationOf } from '../ask/generation.ts'
import type { RowQuestion } from '../ask/inferencer.ts'
import type { ModelConfig } from '../config/config-schema.ts'
import type { Prompt } from '../format/format.ts'
import { bodyOf } from '../prompt/flatten.ts'
import { dictGet, dictHas, type PyValue, stringifyJson } from '../python/index.ts'
import type { Piece } from '../text/index.ts'
import type { Pair } from './plan-run.ts'

/**
 * What two requests must have in common to have the same answer, as one text for a hash: everything that a row's prompts are
 * made of, before examples are left out to make them fit. Which texts may be control tokens is part of it, as are stops and BOS.
 */
export function questionText(
  prompts: readonly Prompt[],
  { inferencer }: Pick<Pair, 'inferencer'>,
  { row }: RowQuestion,
  bodies: readonly string[] = prompts.map(sentText),
): string {
  const rendered = prompts.map((prompt, index) => promptIdentity(prompt, bodies[index]!)).join('\u0001')
  if (inferencer.needs === 'generate') return rendered
  // What is compared comes from these columns where rows have them.
  const compared = ['choices', 'cont'].filter((column) => dictHas(row, column)).map((column) => [column, dictGet(row, column) ?? null])
  const answers = prompts.map(({ answer }) => (answer ? [answer.start, answer.end] : null))
  return `${rendered}\u0001${stringifyJson([compared, answers] as PyValue)}`
}

/**
 * The model and how it is asked, as one text for a hash. Settings that cannot change an answer (a name, how many requests at
 * once, a key) are left out; so is the conversation format, as the prompt has what it wrote.
 */
export function settingsText({ model, dataset, inferencer, maker: { format } }: Pair, identity: string): string {
  const { inferencer: given = {} } = dataset.infer_cfg
  const kept = (value: object, without: ReadonlySet<string>) =>
    Object.fromEntries(Object.entries(value).filter(([key, one]) => !without.has(key) && typeof one !== 'function'))
  return stringifyJson(
    {
      version: 1,
      model: kept(
        { ...model, generation_kwargs: kept(model.generation_kwargs ?? {}, resolvedKeys) },
        new Set([...operationKeys, ...resolvedKeys, ...formatKeys]),
      ),
      identity,
      inferencer: kept(given, inferencerOperationKeys),
      ...(dataset.n === undefined || dataset.n === 1 ? {} : { samples: dataset.n }),
      ...(inferencer.needs === 'generate' ? { generation: generationOf(model, dataset) } : {}),
      format: { markers: format.markers, tokens: format.tokens ?? [] },
    } as never,
    { sortKeys: true },
  )
}

/** Whether asking again would give the same answer: sampling without a seed never does. */
export function isRepeatable({ model, dataset, inferencer }: Pair): boolean {
  const { temperature = 0, seed } = generationOf(model, dataset).sampling ?? {}
  return inferencer.needs === 'score' || temperature === 0 || seed !== undefined
}

/** How and how fast a model is reached. */
const operationKeys: readonly (keyof ModelConfig | string)[] = [
  ...['abbr', 'summarizer_abbr', 'key', 'api_key', 'key_env', 'proxy', 'verbose', 'rpm_verbose', 'stream', 'use_timestamp'],
  ...['concurrency', 'max_workers', 'batch_size', 'batch_padding', 'query_per_second', 'request_rate', 'requests_per_minute'],
  ...['retry', 'retries', 'max_retries', 'max_retry_wait', 'max_server_wait', 'timeout', 'timeout_seconds', 'run_cfg', 'threads'],
]

/** Part of what `generationOf` makes of them. */
const resolvedKeys: ReadonlySet<string> = new Set([
  ...['max_out_len', 'temperature', 'top_p', 'repetition_penalty', 'presence_penalty', 'frequency_penalty', 'seed', 'do_sample'],
])

const formatKeys: readonly (keyof ModelConfig)[] = [
  ...(['format', 'format_options', 'meta_template', 'conv_template', 'conv_config', 'mlc_config', 'join_turns', 'chat_template'] as const),
  ...(['special_tokens', 'system_policy', 'neighbours_policy', 'normalize_messages'] as const),
]

const inferencerOperationKeys: ReadonlySet<string> = new Set([
  ...['batch_size', 'output_json_filename', 'save_every', 'max_out_len', 'min_out_len', 'stopping_criteria'],
])

/** What is sent, as text; token ids, which have none, are written as <#92543>. */
export function sentText(prompt: Prompt): string {
  if (prompt.kind === 'chat') return bodyOf(prompt)
  let text = ''
  for (const piece of prompt.pieces) text += 'text' in piece ? piece.text : 'ids' in piece ? piece.ids.map((id) => `<#${id}>`).join('') : ''
  return text
}

function promptIdentity(prompt: Prompt, body: string): string {
  const stops = prompt.stop.length === 0 ? '' : JSON.stringify(prompt.stop.map(({ source: _, ...stop }) => stop))
  if (prompt.kind === 'completion') return `${prompt.bos} ${stops} ${piecesIdentity(prompt.pieces)}`
  // A server reads the messages as they are sent: nothing in them is told apart but by their JSON.
  return `chat ${stops} ${body} ${prompt.tools ? stringifyJson(prompt.tools as unknown as PyValue) : ''}`
}

/** Lengths before texts, so that nothing in a text can look like the next piece. */
function piecesIdentity(pieces: readonly Piece[]): string {
  let written = ''
  let [text, isControl] = ['', false]
  const flush = () => {
    if (text !== '') written += `${isControl ? 'c' : 't'}${text.length}:${text}`
    text = ''
  }
  for (const piece of pieces) {
    if ('text' in piece) {
      if (piece.control !== isControl) flush()
      isControl = piece.control
      text += piece.text
    } else {
      flush()
      written += 'ids' in piece ? `i${piece.ids.join(',')};` : `m${JSON.stringify(piece.image)};`
    }
  }
  flush()
  return written
}
