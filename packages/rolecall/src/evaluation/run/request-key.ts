import { formatKeys } from '@rolecall/core/internal/format'
import { stringifyJson } from '@rolecall/core/internal/python'
import { rowSeeds } from '../../model/language-model/draw-seed.ts'
import { samplingNames } from '../../model/language-model/sampling-settings.ts'
import type { ModelConfig } from '../config/config-schema.ts'
import { generationBy, isSampled } from './ask/generation.ts'
import type { Pair } from './plan-run.ts'

/**
 * The model and its generation settings, as one text to hash. Settings that cannot change an answer (a name, the
 * concurrency, an API key) are omitted; so is the conversation format, since the prompt contains its output.
 */
export function settingsText({ model, dataset, inferencer, settings, readsCalls, maker: { format } }: Pair, identity: string): string {
  const { inferencer: given = {} } = dataset.infer_cfg
  const kept = (value: object, without: ReadonlySet<string>) =>
    Object.fromEntries(Object.entries(value).filter(([key, one]) => !without.has(key) && typeof one !== 'function'))
  return stringifyJson(
    {
      version: 1,
      model: kept(
        { ...model, generation_kwargs: kept(model.generation_kwargs ?? {}, resolvedKeys) },
        new Set([...operationKeys, ...resolvedKeys, ...formatKeys.filter((key) => !keyedFormatKeys.has(key))]),
      ),
      // Calls are parsed when the answer arrives, from ids that are not recorded.
      ...(readsCalls && model.reply_syntax !== undefined ? { reply_syntax: model.reply_syntax } : {}),
      ...(readsCalls && model.reply_syntax === undefined && model.response_template !== undefined
        ? { response_template: model.response_template }
        : {}),
      identity,
      inferencer: kept(given, inferencerOperationKeys),
      ...(dataset.n === undefined || dataset.n === 1 ? {} : { samples: dataset.n }),
      ...(dataset.output_schema === undefined ? {} : { output_schema: dataset.output_schema }),
      ...(inferencer.needs === 'generate' ? { generation: generationBy(settings, model) } : {}),
      format: { markers: format.markers, tokens: format.tokens ?? [] },
    } as never,
    { sortKeys: true },
  )
}

/** Whether a repeated request would give the same answer: sampling without a seed never does. */
export function isRepeatable({ model, settings, inferencer }: Pair): boolean {
  const generation = generationBy(settings, model)
  return inferencer.needs === 'score' || !isSampled(model, generation) || generation.sampling?.seed !== undefined
}

/** The seed of each row of a pair with sampled answers. */
export function drawsOf({ model, settings, inferencer, name }: Pair): ((row: number) => number) | undefined {
  const generation = generationBy(settings, model)
  if (inferencer.needs === 'score' || !isSampled(model, generation)) return undefined
  return rowSeeds(generation.sampling?.seed ?? 0, name.dataset)
}

/** Half of a key including the row's seed, if there is one: the same question with another seed has another answer. */
export function withDraw(half: string, draw: number | undefined): string {
  return draw === undefined ? half : half.slice(0, 24) + draw.toString(16).padStart(8, '0')
}

/** How and how fast a model is accessed. */
const operationKeys: readonly (keyof ModelConfig | string)[] = [
  ...[
    'abbr',
    'axes',
    'summarizer_abbr',
    'pred_postprocessor',
    'reply_syntax',
    'price',
    'batch',
    'max_cost_per_row',
    'key',
    'api_key',
    'key_env',
    'proxy',
    'verbose',
    'rpm_verbose',
    'stream',
    'use_timestamp',
  ],
  ...['concurrency', 'max_workers', 'batch_size', 'batch_padding', 'query_per_second', 'request_rate', 'requests_per_minute'],
  ...['retry', 'retries', 'max_retries', 'max_retry_wait', 'max_server_wait', 'timeout', 'timeout_seconds', 'run_cfg', 'threads'],
]

/** Included in the result of `generationBy`. */
const resolvedKeys: ReadonlySet<string> = new Set([...['max_out_len', 'do_sample'], ...samplingNames])

/** Existing keys contain these two: without them, answered rows would be sent again. */
const keyedFormatKeys: ReadonlySet<string> = new Set(['is_api', 'chat_template_kwargs'])

const inferencerOperationKeys: ReadonlySet<string> = new Set([
  ...['batch_size', 'output_json_filename', 'save_every', 'max_out_len', 'min_out_len', 'stopping_criteria'],
  ...samplingNames,
])
