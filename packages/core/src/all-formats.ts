// `@rolecall/core/all-formats`: importing it loads what `defineModel` leaves out to keep programs small: the formats of MLC, InternLM2 and
// Ollama, by name or written out, the rules of serving stacks (`parts`), and those of `roles`.
import { everyFormat } from './prompt/format/every-format.ts'
import { loadFormats } from './prompt/format/more-formats.ts'

loadFormats(everyFormat)
