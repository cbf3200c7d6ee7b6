import type { Command } from 'commander'
import { modelFlagUsage } from '../config/model-types/index.ts'
import type { ModelFlags } from '../node/models/model-of.ts'

/** The flags by which a command is told one model and its format, the same for every command that talks to one. */
export function withModelFlags(command: Command): Command {
  return command
    .option('--model <model>', modelFlagUsage)
    .option('--format <name>', 'write prompts in this shipped format; `rolecall formats` lists them')
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
