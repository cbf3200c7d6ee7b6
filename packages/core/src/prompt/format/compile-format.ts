import { compileLoadedFormat } from './compile-loaded-format.ts'
import { everyFormat } from './every-format.ts'
import { loadFormats } from './more-formats.ts'

export type { UncheckedFormatSettings } from './compile-loaded-format.ts'

loadFormats(everyFormat)

/** Compiles a model's conversation format, to render many conversations with it. With this module all formats are loaded. */
export const compileFormat = compileLoadedFormat
