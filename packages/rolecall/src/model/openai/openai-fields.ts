import * as z from 'zod/mini'

/** The settings of a model on a server, whatever its API, under Rolecall's names and those of OpenCompass's API models. */
export const serverFields = {
  base_url: z
    .optional(z.string())
    .check(
      z.describe(
        "The server's address, e.g. http://127.0.0.1:8000/v1; by default OPENAI_BASE_URL, ANTHROPIC_BASE_URL or GOOGLE_GEMINI_BASE_URL, else that of OpenAI, Anthropic or Google.",
      ),
    ),
  key_env: z
    .optional(z.string())
    .check(
      z.describe(
        'The environment variable with the key; by default OPENAI_API_KEY, ANTHROPIC_API_KEY, or GEMINI_API_KEY or GOOGLE_API_KEY.',
      ),
    ),
  headers: z
    .optional(z.record(z.string(), z.string()))
    .check(z.describe('Headers of every request; a value "$NAME" is read from the environment. Values are never recorded.')),
  stream: z.optional(z.boolean()).check(z.describe('Whether replies are always streamed; false by default.')),
  extra_body: z
    .optional(z.record(z.string(), z.unknown()))
    .check(
      z.describe(
        'Other fields of every request, sent unchanged; null removes one that Rolecall would send. Strings in it that are not plain words are not recorded, because they may be API keys.',
      ),
    ),
  reasoning_effort: z
    .optional(z.string())
    .check(
      z.describe(
        "How much the model reasons, in the words of its API, e.g. low, medium or high: OpenAI's reasoning_effort, Anthropic's output_config.effort, Gemini's thinkingLevel; by default as the model does.",
      ),
    ),
  reasoning_tokens: z
    .optional(z.int().check(z.nonnegative()))
    .check(
      z.describe(
        "Maximum number of tokens of reasoning, part of max_out_len: Anthropic's budget_tokens, Gemini's thinkingBudget; 0 turns reasoning off. OpenAI's API has no such setting.",
      ),
    ),
  generation_body: z
    .optional(z.record(z.string(), z.unknown()))
    .check(z.describe('As extra_body, but only for requests for a reply, not for those that score a prompt.')),
  send_format_stops: z
    .optional(z.boolean())
    .check(
      z.describe("Whether the stops of the model's format are sent; true by default. Without them, the server knows where a turn ends."),
    ),
  concurrency: z.optional(z.int().check(z.positive())).check(z.describe('Maximum number of concurrent requests; 16 by default.')),
  requests_per_minute: z
    .optional(z.number().check(z.positive()))
    .check(z.describe('Maximum number of requests per minute, evenly spaced; no limit by default.')),
  timeout: z.optional(z.number().check(z.positive())).check(z.describe('Seconds that the server may stay silent; 600 by default.')),
  retries: z.optional(z.int().check(z.nonnegative())).check(z.describe('Number of retries of a failed request; 6 by default.')),
  max_retry_wait: z
    .optional(z.number().check(z.nonnegative()))
    .check(z.describe('Maximum number of seconds before a retry; 60 by default. A server that asks for more ends the run.')),
  max_server_wait: z
    .optional(z.number().check(z.nonnegative()))
    .check(z.describe('Seconds to wait for a server that is unreachable, or refuses every request, before the run ends; 60 by default.')),
  key: z
    .optional(z.unknown())
    .check(z.describe("OpenCompass's way to say where the key is: 'ENV'. A key written here is ignored with a warning: use key_env.")),
  openai_api_base: z.nullish(z.union([z.string(), z.array(z.string())])).check(z.describe("OpenCompass's name for base_url.")),
  query_per_second: z.nullish(z.number().check(z.positive())).check(z.describe("OpenCompass's way to say requests_per_minute.")),
  max_workers: z.nullish(z.int().check(z.positive())).check(z.describe("OpenCompass's name for concurrency.")),
  batch_size: z
    .nullish(z.int().check(z.positive()))
    .check(z.describe("OpenCompass's and AISBench's name for concurrency, for models on a server.")),
  retry: z.nullish(z.int().check(z.nonnegative())).check(z.describe("OpenCompass's name for retries.")),
}

/** The setting of services with a batch endpoint. */
export const batchFields = {
  batch: z
    .optional(z.boolean())
    .check(
      z.describe(
        'Whether requests go through the batch endpoint of OpenAI or Anthropic: within a day, at half the price, which costs and limits count with. `concurrency` is then the most requests of a batch, 10,000 by default.',
      ),
    ),
}

/** The settings of `type: 'openai'`. */
export const openaiFields = {
  ...serverFields,
  ...batchFields,
  endpoint: z
    .optional(z.enum(['chat', 'completions']))
    .check(z.describe('The endpoint; by default chat for a format that gives messages, completions for one that writes text.')),
  send: z
    .optional(z.enum(['text', 'ids']))
    .check(z.describe('How a prompt is sent to completions: as exact token ids (the default with a tokenizer_path), or as text.')),
  truncate_to: z
    .optional(z.int().check(z.positive()))
    .check(
      z.describe(
        'Maximum number of tokens of a prompt and its reply together, for prompts sent as ids: the start of a longer prompt is left out (unless the reply alone would not fit), and a longer text that is scored is sent in parts, as in lm-evaluation-harness. No limit by default: see max_seq_len, which never cuts a question.',
      ),
    ),
  send_stop_ids: z
    .optional(z.boolean())
    .check(z.describe("Whether stop tokens are sent as vLLM's stop_token_ids; false by default: as strings.")),
  score_by: z
    .optional(z.enum(['echo', 'prompt_logprobs']))
    .check(z.describe("How prompts are scored: the API's echo with logprobs, or vLLM's prompt_logprobs; detected by default.")),
  constrain_by: z
    .optional(z.enum(['response_format', 'structured_outputs', 'guided', 'json_schema', 'sglang']))
    .check(
      z.describe(
        "How a constraint on the reply is sent to the server: OpenAI's response_format, by default; vLLM's structured_outputs or, before 0.12, guided_json; llama.cpp's json_schema; sglang: response_format for JSON, and its regex for patterns and choices. A reply that violates the constraint gets the note not-constrained.",
      ),
    ),
}

const openaiConfigSchema = z.looseObject({ abbr: z.optional(z.string()), path: z.optional(z.string()), ...openaiFields })

/** What a config says about a model on an OpenAI-compatible server. */
export type OpenAIConfig = z.input<typeof openaiConfigSchema>
