import { PromptError } from '@rolecall/core/internal/errors'
import { type Command, Option } from 'commander'
import { modelFlagUsage } from '../model/model-types/index.ts'
import { formatFlags, formatFlagsIn, specialTokensFlag } from '../node/formats/format-flags.ts'
import type { ModelFlags } from '../node/models/model-flags.ts'
import { collects, positiveDuration, seedOrSeeds, trueOrFalse, wholeNumber } from './flag-values.ts'

/** The flags that select a model and its format. */
export function withModelFlags(command: Command): Command {
  return withFormatFlags(command.option('--model <model>', modelFlagUsage)).option(
    '--tokenizer <path>',
    'tokenizer: a model on a hub (ORG/NAME), a model folder, tokenizer.json or tokenizer.model',
  )
}

/** The model flags that were given. */
export function modelFlagsIn(options: ModelFlags): string[] {
  const { model, tokenizer } = options
  const given = [['--model', model], ...formatFlagsIn(options), ['--tokenizer', tokenizer]] as const
  return given.flatMap(([flag, value]) => (value === undefined ? [] : [flag]))
}

/** The flags that replace the config's datasets by a known benchmark. */
export function withPresetOptions(command: Command): Command {
  return command
    .option('--preset <name>', "run a known benchmark instead of the config's datasets; `rolecall list presets` lists them")
    .option(
      '--data <folder>',
      'with --preset: the folder with its files, or a dataset on a hub; without it, they are downloaded from Hugging Face',
    )
    .option('--shots <number>', 'with --preset: number of few-shot examples', wholeNumber)
    .option('--subjects <names>', 'with --preset: only these subjects (comma-separated)')
    .option(
      '--tasks <names>',
      "run lm-evaluation-harness tasks instead of the config's datasets: task, group or tag names, YAML files, or hf/ORG/DATASET for those that eval.yaml of a dataset on the hub defines (comma-separated)",
    )
    .option(
      '--include-path <folder>',
      'with --tasks: a folder with task files (can be repeated); then those of an installed lm_eval',
      collects((value: string, before: string[] = []) => [...before, value]),
    )
    .option('--num-fewshot <number>', 'with --tasks: number of few-shot examples', wholeNumber)
    .option('--apply-chat-template', "with --tasks: send the prompt as messages in the model's format instead of plain text")
    .option(
      '--fewshot-as-multiturn [on]',
      'with --apply-chat-template: each few-shot example as its own turns (default: true), or false for one turn',
      trueOrFalse,
    )
    .option('--system-instruction <text>', 'with --tasks: the system message')
    .option(
      '--gen-kwargs <settings>',
      'with --tasks: generation settings that override those of the tasks, e.g. temperature=0.7,max_gen_toks=64',
    )
    .option('--samples <json>', 'with --tasks: only these documents, as JSON or a JSON file: {"arc_easy": [0, 5]}')
    .option('--metadata <settings>', 'with --tasks: settings for tasks that make their own rows, e.g. max_seq_lengths=[4096]')
    .option(
      '--python-packages <folder>',
      'with --tasks: pure-Python wheels; functions that score replies with them run in the Python sandbox (pip download names them)',
    )
    .option('--data-dir <folder>', 'with --tasks: the folder with the dataset files, as downloaded or as in the Hugging Face cache')
}

/** OpenCompass's flags for one model of Hugging Face and one file of questions, and what runs models and code of one's own. */
export function withOpenCompassFlags(command: Command): Command {
  return command
    .optionsGroup("As in OpenCompass's command line:")
    .option('--hf-path <path>', "a model of Hugging Face instead of the config's; served by you (--base-url) or by --launch")
    .addOption(
      new Option('--hf-type <type>', 'with --hf-path: chat, which its chat template writes (the default), or base').choices([
        'chat',
        'base',
      ]),
    )
    .option('--tokenizer-path <path>', 'with --hf-path: the tokenizer, if it is elsewhere')
    .option('--model-kwargs <settings>', 'with --hf-path: settings that the engine shares, e.g. tensor_parallel_size=2')
    .option('--tokenizer-kwargs <settings>', 'with --hf-path: e.g. trust_remote_code=True')
    .option('--generation-kwargs <settings>', 'with --hf-path: sampling settings, e.g. temperature=0.7')
    .option('--peft-path <path>', 'with --hf-path: an adapter, which the engine must serve')
    .option('--max-seq-len <number>', 'with --hf-path: the longest context', wholeNumber)
    .option('--hf-num-gpus <number>', 'with --hf-path: GPUs of the engine', wholeNumber)
    .option('--custom-dataset-path <file>', 'a .jsonl or .csv file of questions instead of datasets')
    .option('--custom-dataset-meta-path <file>', 'with --custom-dataset-path: settings beside it')
    .addOption(
      new Option('--custom-dataset-data-type <type>', 'with --custom-dataset-path: its questions').choices(['mcq', 'circular-mcq', 'qa']),
    )
    .addOption(new Option('--custom-dataset-infer-method <method>', 'with --custom-dataset-path').choices(['gen', 'ppl']))
}

/** The flags that run users' own classes in their own Python. */
export function withPythonFlags(command: Command): Command {
  return command
    .optionsGroup("Users' own Python:")
    .option(
      '--with-python [path]',
      'run your own dataset classes, evaluators and postprocessors in your own Python, with your packages and your rights: an executable, or the folder of an environment (default: ROLECALL_PYTHON, the active environment, or python3); without it, no Python is executed',
    )
    .option(
      '--opencompass <folder>',
      'the checkout of OpenCompass that has the code of its classes (default: OPENCOMPASS_DIR, the one around the config, or an installed one)',
    )
    .option(
      '--python-env <names>',
      'with --with-python: variables of the environment that the code may read (comma-separated); keys are never passed',
    )
    .option(
      '--python-time <time>',
      'with --with-python: how long one call may take, e.g. 90s (default: 60s for a text, 30m for rows, 1h for scores)',
      positiveDuration,
    )
    .option('--allow-exec', 'run the JavaScript and TypeScript files that a promptfoo config names, in the sandbox of its assertions')
}

/** `--seed`, for commands that only show prompts. */
export function withTaskSeed(command: Command): Command {
  return command.option('--seed <number>', 'with --tasks: the seed that draws few-shot examples, as for `rolecall run`', seedOrSeeds)
}

/** Help texts shared by several commands. */
export const modelsHelp =
  'only these models (names or patterns, separated by commas or spaces); NAME=URL sends one to this server; without a config, names of OpenCompass config files'
export const datasetsHelp =
  "only these datasets (names or patterns such as 'gsm*', separated by commas or spaces); without a config, names of OpenCompass config files"
export const baseUrlHelp = 'send all requests to this OpenAI-compatible server, overriding the config'
export const judgeHelp = 'the model that judges answers, for every dataset with a judge; its key is read from OC_JUDGE_API_KEY'

/** The argument and flags that select prompts; the flags that a command adds are about its output. */
export function withSelection(command: Command): Command {
  const withModels = withFormatFlags(
    command
      .argument(
        '[config]',
        'a config, a Python config snippet, an mlc-chat-config.json, messages as JSON, or a transcript (default: the nearest rolecall.config.ts, .js, .json or .yaml, else a built-in example)',
      )
      .optionsGroup('Model:')
      .option('--models <names>', modelsHelp)
      .option('--base-url <url>', baseUrlHelp)
      .option('--judge <model@url>', judgeHelp),
  )
  const withRows = withCompatFlag(withModels.optionsGroup('Data:').option('--datasets <names>', datasetsHelp))
    .option('--rows <numbers>', 'which rows, e.g. 0-4,7', '0')
    .addOption(
      new Option('--mode <mode>', "generation or perplexity (default: what the dataset's inferencer needs)").choices(['gen', 'ppl']),
    )
    .option('--label <label>', 'for perplexity: only this label')
  return withPythonFlags(
    withOpenCompassFlags(withTaskSeed(withPresetOptions(withRows.optionsGroup('Benchmarks and tasks:')))),
  ).optionsGroup('Output:')
}

/** The flags that give a format: to one model, or to every model of a config. */
export function withFormatFlags(command: Command): Command {
  for (const { name, value, does } of [...formatFlags, specialTokensFlag]) command.option(`${name} <${value}>`, does)
  return command
}

/** `--compat`, for every dataset. */
export function withCompatFlag(command: Command): Command {
  return command.addOption(
    new Option(
      '--compat <program>',
      'reproduce the prompts and scores of this program byte for byte, where Rolecall differs by default (docs/fidelity.md)',
    ).choices(['opencompass']),
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
        fix: 'for example: --rows 0-4,7',
      })
    }
    if (last - first >= 100_000)
      throw new PromptError('bad-rows', {
        where: '--rows',
        problem: `"${part.trim()}" has too many rows`,
        fix: 'choose fewer rows',
      })
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
  return [...new Set(numbers)].sort((a, b) => a - b)
}
