import type { Note } from '@rolecall/core/internal/errors'
import type { ModelConfig } from '../../evaluation/config/config-schema.ts'
import type { LoadedChatTemplate } from '../models/load-chat-template.ts'

/**
 * One way to give a conversation format to a command: by a name, or in files of one kind. An entry of `formatSources` is all that a new
 * way takes: `--format` and every argument that is a format accept it, and help texts and errors name it.
 */
export type FormatSource = {
  /** What it is, for help texts and errors. */
  readonly what: string
  /** The flag that takes only this source; `--format` takes all of them. */
  readonly flag?: {
    readonly name: `--${string}`
    readonly value: string
    /** The flag of a source whose template this one replaces, so that both may be given. */
    readonly over?: `--${string}`
  }
  /** The names it knows. */
  readonly names?: () => readonly string[]
  readonly files?: FormatFiles
  readonly read: (given: GivenSource, options: FormatReadOptions) => SourceFormat
}

/** How the files of a source are recognised. */
export type FormatFiles = {
  /** Their names. */
  readonly named?: RegExp
  /** Names of files that make a folder one of this source. */
  readonly inFolder?: readonly string[]
  /** Keys of an object in JSON or YAML. */
  readonly keys?: readonly string[]
}

/** What the user wrote. */
export type GivenSource = {
  readonly text: string
  /** The file or folder, if it is not a known name. */
  readonly path?: string | undefined
  /** The object that a file of JSON or YAML holds, if it was recognised by its keys. */
  readonly content?: Readonly<Record<string, unknown>> | undefined
}

export type FormatReadOptions = {
  /** The flag or argument, for errors. */
  readonly where: string
  /** Relative paths start here; by default the working folder. */
  readonly folder?: string | undefined
  /** The model that gets the format; it may have a tokenizer. */
  readonly model?: Pick<ModelConfig, 'type' | 'tokenizer_path'> | undefined
}

/** What a source reads: the settings of a format, or a model's chat templates, of which one is chosen later. */
export type SourceFormat = { notes?: readonly Note[]; tokenizer?: string | undefined } & (
  | { kind: 'settings'; settings: ModelConfig }
  | { kind: 'templates'; templates: LoadedChatTemplate }
)
