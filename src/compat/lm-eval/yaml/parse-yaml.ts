import { type Document, parseDocument } from 'yaml'

/** How often a text is reindented before parsing fails. */
const maxTries = 1000

/**
 * The nodes of a YAML text. PyYAML allows lines of a quoted text to begin further left than their key; this parser does not, so those
 * lines are indented, which does not change the text.
 */
export function parseYaml(text: string): Document.Parsed {
  let source = text
  for (let tries = 0; ; tries++) {
    const document = parseDocument(source, { version: '1.1', schema: 'failsafe', uniqueKeys: false, logLevel: 'silent' })
    const [error] = document.errors
    const end = error?.code === 'MISSING_CHAR' && /^Missing closing .quote/.test(error.message) ? source.indexOf('\n', error.pos[0]) : -1
    if (end < 0 || end + 1 >= source.length || tries === maxTries) return document
    source = `${source.slice(0, end + 1)}${' '.repeat(64)}${source.slice(end + 1)}`
  }
}
