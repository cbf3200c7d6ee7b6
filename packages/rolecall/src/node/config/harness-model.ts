import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Note } from '@rolecall/core/internal/errors'
import { PromptError } from '@rolecall/core/internal/errors'
import { dictFromEntries, type PyValue, stringifyJson } from '@rolecall/core/internal/python'
import { isGenerationSetting } from '../../compat/lm-eval/stop-texts.ts'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import { modelFlagUsage } from '../../model/model-types/index.ts'
import { type FormatFlags, formatFlagsIn } from '../formats/format-flags.ts'
import { parseHubName, showHubName } from '../hub/hub-name.ts'
import { localModelPath } from '../hub/local-paths.ts'
import { modelConfigOf } from '../models/model-flags.ts'
import { readSettings } from '../tasks/key-values.ts'
import {
  isTrue,
  type ModelArguments,
  modelArguments,
  type ReplyArguments,
  replyArguments,
  serverSettings,
  tokenizerName,
  unreadArguments,
} from './harness-arguments.ts'

/** `--model` and `--model-args` of `run`, as lm-evaluation-harness has them. */
type HarnessModelFlags = FormatFlags & {
  model?: string
  modelArgs?: string
  applyChatTemplate?: boolean
  genKwargs?: string
}

/** A model given by flags, and its arguments. */
export type HarnessModel = { config: ModelConfig; given: Map<string, PyValue>; notes: Note[] }

/** Kinds of models of lm-evaluation-harness that are OpenAI-compatible servers, and where they are by default. */
const servers: Readonly<Record<string, { chat: boolean; url?: string }>> = {
  'local-completions': { chat: false },
  'local-chat-completions': { chat: true },
  'openai-completions': { chat: false, url: 'https://api.openai.com/v1' },
  'openai-chat-completions': { chat: true, url: 'https://api.openai.com/v1' },
}

/** A server that is asked as in lm-evaluation-harness. */
export type HarnessServer = { chat: boolean; url?: string } & ReplyArguments

/** The server that `--model` and `--model-args` name as lm-evaluation-harness does. */
export function harnessServer(model: string | undefined, given: ReadonlyMap<string, PyValue>): HarnessServer | undefined {
  return model !== undefined && Object.hasOwn(servers, model) ? { ...servers[model]!, ...replyArguments(given) } : undefined
}

/** The model that `--model` names: a server as in lm-evaluation-harness, or a model as in other commands. */
export async function harnessModel(flags: HarnessModelFlags, folder = process.cwd()): Promise<HarnessModel> {
  const { model, modelArgs, applyChatTemplate = false } = flags
  const given = modelArguments(modelArgs)
  const kind = harnessServer(model, given)
  if (model === undefined)
    throw new PromptError('missing', {
      where: '--model-args',
      problem: 'this flag needs --model',
      fix: 'add --model local-completions or --model local-chat-completions',
    })
  if (kind === undefined) {
    if (given.size === 0 && (model === 'embedded' || model.includes(':')))
      return { config: modelConfigOf({ model }, folder), given, notes: [] }
    throw new PromptError('unknown-model', {
      where: '--model',
      problem: `"${model}" cannot be run here`,
      fix: `serve the model (e.g. vllm serve MODEL) and write --model local-completions --model_args model=NAME,base_url=URL; or write ${modelFlagUsage}`,
    })
  }
  const name = given.get('model') ?? given.get('pretrained')
  const url = given.get('base_url') ?? kind.url
  if (typeof name !== 'string' || typeof url !== 'string' || !/^https?:\/\//.test(url))
    throw new PromptError('missing', {
      where: '--model-args',
      problem: typeof name === 'string' ? 'it has no base_url' : 'it does not name the model',
      fix: `write --model_args model=NAME,base_url=http://127.0.0.1:8000/v1${kind.chat ? '/chat' : ''}/completions`,
    })
  if (kind.chat && !applyChatTemplate)
    throw new PromptError('missing', {
      where: '--model',
      problem: `${model} sends messages, and without --apply-chat-template there are none`,
      fix: 'add --apply-chat-template, or use local-completions',
    })
  const files = await tokenizerFiles(given, folder, kind.chat)
  if (!kind.chat && applyChatTemplate && files === undefined && formatFlagsIn(flags).length === 0)
    throw new PromptError('missing', {
      where: '--apply-chat-template',
      problem: `${model} sends text, and no chat template was given to write it with`,
      fix: 'add tokenizer=PATH to --model_args (a folder, or ORG/NAME on a hub), or --format FORMAT; or use local-chat-completions',
    })
  const use = { chat: kind.chat, hasTokenizer: files !== undefined }
  const place = `openai:${name}@${url.replace(/(?:\/chat)?\/completions\/?$/, '')}`
  const written = applyChatTemplate && files !== undefined && !kind.chat ? { chatTemplate: files } : {}
  // As in the harness, a server ends turns and hides special tokens by itself.
  const { extra_body: _, format, ...own } = modelConfigOf(
    { model: place, ...(files === undefined ? {} : { tokenizer: files }), ...written },
    folder,
  )
  return {
    config: {
      ...own,
      // As in the harness, whatever the tokenizer's files say.
      ...(files === undefined ? {} : { add_bos_token: isTrue(given, 'add_bos_token', false) }),
      ...(kind.chat ? { format: 'messages' } : applyChatTemplate ? { ...(format === undefined ? {} : { format }), send_format_stops: false } : {}),
      ...serverSettings(given, use),
      ...sentAsGiven(flags.genKwargs),
    },
    given,
    notes: unreadArguments(given, use),
  }
}

/** The files of the tokenizer that `--model-args` names; for messages, whose tokens are only counted here, no hub is asked. */
async function tokenizerFiles(given: ModelArguments, folder: string, isChat: boolean): Promise<string | undefined> {
  const named = tokenizerName(given)
  if (named === undefined) return undefined
  const { tokenizer, revision } = named
  if (isChat && !existsSync(resolve(folder, tokenizer))) return undefined
  const onHub = existsSync(resolve(folder, tokenizer)) ? undefined : parseHubName(tokenizer)
  const name = onHub && revision !== undefined ? showHubName({ ...onHub, revision: onHub.revision ?? revision }) : tokenizer
  const files = await localModelPath(name, { folder })
  if (existsSync(resolve(folder, files))) return files
  const fix = 'give the path of a folder or of a tokenizer.json, or ORG/NAME on a hub'
  throw new PromptError('no-file', { where: '--model-args › tokenizer', problem: `there is no file or folder ${files}`, fix })
}

/** Settings of `--gen-kwargs` that mean nothing here are sent to the server as they are, with requests for a reply. */
function sentAsGiven(genKwargs: string | undefined): ModelConfig {
  const others = [...(genKwargs === undefined ? [] : readSettings(genKwargs, '--gen-kwargs'))].filter(([key]) => !isGenerationSetting(key))
  return others.length === 0 ? {} : { generation_body: JSON.parse(stringifyJson(dictFromEntries(others))) }
}
