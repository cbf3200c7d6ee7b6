import { type Command, Option } from 'commander'
import { withPresetOptions } from '../preset-flags.ts'

/** The argument and flags with which prompts are chosen, the same for every command that looks at them. */
export function withSelection(command: Command): Command {
  return withPresetOptions(command)
    .argument('[config]', 'the config file; by default the nearest rolecall.config.ts, .js, .json or .yaml, else a shipped example')
    .option('--models <names>', 'only these models, separated by commas')
    .option('--datasets <names>', 'only these datasets, separated by commas')
    .option('--rows <numbers>', 'which rows, e.g. 0-4,7', '0')
    .addOption(
      new Option('--mode <mode>', "generation or perplexity; by default what the dataset's inferencer needs").choices(['gen', 'ppl']),
    )
    .option('--label <label>', 'for perplexity: only this label')
    .option('--format <name>', 'write all models in this shipped format')
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
