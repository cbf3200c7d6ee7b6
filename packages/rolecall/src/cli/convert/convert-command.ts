import { writeFileSync } from 'node:fs'
import { PromptError } from '@rolecall/core/internal/errors'
import type { Format, Prompt } from '@rolecall/core/internal/format'
import type { Tokenizer } from '@rolecall/core/internal/tokenizer'
import { tokenize } from '@rolecall/core/internal/tokenizer'
import { Command, Option } from 'commander'
import { formatWords } from '../../node/formats/read-format.ts'
import { tokenizerAt } from '../../node/models/load-tokenizer.ts'
import { isolatedTemplate } from '../../node/templates/isolated-template.ts'
import { convertFormat, type Target, targets } from '../../workbench/convert/index.ts'
import { exitHelp } from '../exit-codes.ts'
import { printScreen } from '../screen/print-screen.ts'
import { printWarnings } from '../terminal.ts'
import { convertReply } from './convert-reply.ts'
import { convertTag } from './convert-tag.ts'
import { convertTraining } from './convert-training.ts'
import { readSource } from './read-source.ts'
import { proofAsJson, proofScreen } from './show-proof.ts'

type Options = {
  to: Target | 'response-template' | 'structural-tag' | 'training'
  tools?: string
  toolChoice: string
  parallel: boolean
  reasoning?: true | 'opened'
  check?: string
  out?: string
  model?: string
  template?: string
  name?: string
  tokenizer?: string
  approximate: boolean
  proof: boolean
  json: boolean
}

export const convertCommand = new Command('convert')
  .description("convert a conversation format to another system's, and prove that it renders the same prompts")
  .argument('<format>', `the format: ${formatWords}; or a config`)
  .addOption(
    new Option('--to <language>', 'the target')
      .choices([...targets, 'response-template', 'structural-tag', 'training'])
      .makeOptionMandatory(),
  )
  .option('--approximate', 'convert even if the result cannot be the same; lists what is lost', false)
  .option('-o, --out <file>', 'write the result to a file instead of printing it')
  .option('--name <name>', "name of the converted format (default: its source's)")
  .option('--model <abbr>', 'which model of a config')
  .option('--template <name>', 'which chat template, if the model has several')
  .option('--tokenizer <path>', 'also compare token ids: a model on a hub (ORG/NAME), a model folder, tokenizer.json or tokenizer.model')
  .option('--proof', 'print the proof to standard output; the result goes only to --out', false)
  .option(
    '--check <file>',
    'with --to response-template: prove this response template (JSON, or a tokenizer_config.json) instead of writing one',
  )
  .option('--tools <file>', 'with --to structural-tag: the tools, as a JSON list in the shape of OpenAI')
  .option('--tool-choice <choice>', 'with --to structural-tag: auto, required, none, or the name of a tool', 'auto')
  .option('--no-parallel', 'with --to structural-tag: at most one call')
  .addOption(
    new Option(
      '--reasoning [opened]',
      'with --to structural-tag: the reply begins with a thought (opened: whose mark the prompt writes)',
    ).choices(['opened']),
  )
  .option('--json', 'print the result and the proof as JSON', false)
  .addHelpText(
    'after',
    `
The result goes to standard output and the proof to standard error. Both formats render some 800 generated conversations (every order
of user and assistant up to six messages, with a system text and without, empty texts, white space, markers in data, reasoning, tools,
calls, rounds of datasets), which are compared byte by byte, and by token ids with --tokenizer. A response template is
proven by the replies that the chat template writes: text, reasoning, calls, and values of every kind.

${exitHelp({ ok: 'written', refused: 'not expressible without --approximate', 'check-failed': '--check found a difference' })}.

Examples:
  rolecall convert vicuna_v1.1 --to jinja                    an MLC conversation template as a chat template
  rolecall convert ./tokenizer_config.json --to meta         a chat template as a meta template
  rolecall convert ./my-model --to mlc -o conv.json          the same as an MLC conversation template
  rolecall convert chatml --to mlc --approximate --proof     what would be lost, and why
  rolecall convert ./Modelfile --to jinja --approximate      an Ollama template as a chat template
  rolecall convert moss --to opencompass --approximate       as Python, with a list of what is lost
  rolecall convert ./my-model --to response-template         how its replies are read, for transformers
  rolecall convert ./my-model --to structural-tag --tools tools.json   what its replies may be, for xgrammar
  rolecall convert ./my-model --to training -o train.jinja   with {% generation %} around what the model writes, for trainers`,
  )
  .action(async (given: string, options: Options) => {
    const source = await readSource(given, options)
    const { to } = options
    if (to === 'response-template') {
      printWarnings(source.notes)
      convertReply({ ...source, name: options.name ?? source.name }, options)
      return
    }
    if (to === 'structural-tag') {
      printWarnings(source.notes)
      convertTag({ ...source, name: options.name ?? source.name }, options)
      return
    }
    if (options.check === undefined && to === 'training') {
      printWarnings(source.notes.filter(({ code }) => code !== 'template-switches'))
      convertTraining({ ...source, name: options.name ?? source.name }, options)
      return
    }
    if (options.check !== undefined || to === 'training')
      throw new PromptError('unused-option', {
        where: '--check',
        problem: `--to ${to} has nothing to check`,
        fix: 'use it with --to response-template',
      })
    const tokenizer = options.tokenizer === undefined ? undefined : tokenizerAt(options.tokenizer)
    const conversion = convertFormat(source.format, to, {
      name: options.name ?? source.name,
      approximate: options.approximate,
      compile: isolatedTemplate,
      ...(source.isOllama && { isOllama: true }),
      ...(source.own && { own: source.own }),
      ...(source.onAnotherDay && { onAnotherDay: source.onAnotherDay }),
      ...(tokenizer && { idsOf: idsWith(tokenizer) }),
    })
    if (options.out !== undefined) writeFileSync(options.out, conversion.output)
    printWarnings(source.notes)
    if (options.json) {
      const { output, target, stopsAndPrefix, notCarried, proof } = conversion
      process.stdout.write(
        `${JSON.stringify({ target, output, stopsAndPrefix, notCarried, notes: source.notes, proof: proofAsJson(proof) }, null, 2)}\n`,
      )
      return
    }
    if (options.out === undefined && !options.proof) process.stdout.write(conversion.output)
    printScreen(proofScreen(conversion, { tokenizer: tokenizer?.name, out: options.out }), options.proof ? process.stdout : process.stderr)
  })

/** The ids of a prompt's text, without ids that a format prepends to every conversation. */
function idsWith(tokenizer: Tokenizer): (format: Format, prompt: Prompt & { kind: 'completion' }) => readonly number[] {
  return ({ markers }, prompt) =>
    tokenize({ ...prompt, pieces: prompt.pieces.filter((piece) => !('ids' in piece)) }, tokenizer, { markers, bos: 'none' }).ids
}
