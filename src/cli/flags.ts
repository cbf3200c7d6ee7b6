import { type Command, InvalidArgumentError, Option } from 'commander'
import { modelFlagUsage } from '../config/model-types/index.ts'
import type { ModelFlags } from '../node/models/model-of.ts'
import { PromptError } from '../prompt-error.ts'

/** The flags by which a command is told one model and its format, the same for every command that talks to one. */
export function withModelFlags(command: Command): Command {
  return command
    .option('--model <model>', modelFlagUsage)
    .option('--format <name>', 'write prompts in this format; `rolecall formats` lists them')
    .option('--conv-template <name>', 'write prompts with this conversation template of MLC')
    .option('--mlc-config <path>', 'take template and settings from this mlc-chat-config.json, or from the one in this folder')
    .option('--chat-template <path>', "write prompts in this chat template: a model's folder, tokenizer_config.json, .jinja or .gguf file")
    .option('--tokenizer <path>', "the model's folder, tokenizer.json or tokenizer.model")
}

/** Those of the flags that were given. */
export function modelFlagsIn(options: ModelFlags): string[] {
  const { model, format, convTemplate, mlcConfig, chatTemplate, tokenizer } = options
  const given = {
    '--model': model,
    '--format': format,
    '--conv-template': convTemplate,
    '--mlc-config': mlcConfig,
    '--chat-template': chatTemplate,
    '--tokenizer': tokenizer,
  }
  return Object.entries(given).flatMap(([flag, value]) => (value === undefined ? [] : [flag]))
}

/** The flags that put a known benchmark in place of the config's datasets. */
export function withPresetOptions(command: Command): Command {
  return command
    .option('--preset <name>', 'a known benchmark instead of the datasets of the config; `rolecall presets` lists them')
    .option('--data <folder>', 'with --preset: the folder with its files, as they were downloaded')
    .option('--shots <number>', 'with --preset: how many examples are shown', wholeNumber)
    .option('--subjects <names>', 'with --preset: only these subjects, separated by commas')
    .option(
      '--tasks <names>',
      'tasks of lm-evaluation-harness instead of the datasets of the config: names of tasks, groups or tags, or YAML files, separated by commas',
    )
    .option('--include-path <folder>', 'with --tasks: a folder with task files; may be given several times', gather)
    .option('--num-fewshot <number>', 'with --tasks: how many examples are shown', wholeNumber)
    .option('--apply-chat-template', "with --tasks: as messages, which the model's format writes; by default as plain text")
    .option('--fewshot-as-multiturn', 'with --apply-chat-template: every example as turns of its own')
    .option('--system-instruction <text>', 'with --tasks: what the system says first')
    .option('--data-dir <folder>', 'with --tasks: the folder with the files of datasets, as downloaded or as in the cache of Hugging Face')
}

function gather(value: string, before: string[] = []): string[] {
  return [...before, value]
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It is a whole number, e.g. 5.')
  return Number(text)
}

/** The flags that choose what is asked where, in the same words for every command. */
export const modelsHelp =
  'only these models, separated by commas; NAME=URL asks one at this server; without a config, names of config files of OpenCompass'
export const datasetsHelp = 'only these datasets, separated by commas; without a config, names of config files of OpenCompass'
export const baseUrlHelp = 'ask all models at this OpenAI-compatible server, whatever the config says'

/** The argument and flags with which prompts are chosen, the same for every command that looks at them. */
export function withSelection(command: Command): Command {
  return withFormatFlags(withPresetOptions(command))
    .argument(
      '[config]',
      'a config, or what the documents show: a Python snippet, a mlc-chat-config.json, messages as JSON, a transcript; by default the nearest rolecall.config.ts, .js, .json or .yaml, else a shipped example',
    )
    .option('--models <names>', modelsHelp)
    .option('--datasets <names>', datasetsHelp)
    .option('--base-url <url>', baseUrlHelp)
    .option('--rows <numbers>', 'which rows, e.g. 0-4,7', '0')
    .addOption(
      new Option('--mode <mode>', "generation or perplexity; by default what the dataset's inferencer needs").choices(['gen', 'ppl']),
    )
    .option('--label <label>', 'for perplexity: only this label')
}

/** The flags by which all models of a config are written in another format. */
export function withFormatFlags(command: Command): Command {
  return command
    .option('--format <name>', 'write all models in this format; `rolecall formats` lists them')
    .option('--conv-template <name>', 'write all models with this conversation template of MLC')
    .option(
      '--mlc-config <path>',
      'write all models with the conversation template of this mlc-chat-config.json, or of the one in this folder',
    )
    .option(
      '--chat-template <path>',
      "write all models in this chat template: a model's folder, tokenizer_config.json, .jinja or .gguf file",
    )
}

/** `--rows 0-4,7`: row numbers, in order. */
export function parseRows(rows: string): number[] {
  const numbers = rows.split(',').flatMap((part) => {
    const range = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(part)
    const first = Number(range?.[1])
    const last = range?.[2] === undefined ? first : Number(range[2])
    if (!range || last < first) {
      throw new PromptError('bad-rows', {
        where: '--rows',
        problem: `"${part.trim()}" is not a row number or a range`,
        fix: 'write e.g. --rows 0-4,7',
      })
    }
    if (last - first >= 100_000)
      throw new PromptError('bad-rows', {
        where: '--rows',
        problem: `"${part.trim()}" is more than can be looked at`,
        fix: 'choose fewer rows',
      })
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
  return [...new Set(numbers)].sort((a, b) => a - b)
}
