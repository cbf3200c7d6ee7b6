/** A record of a CSV file with its first and last line, from 1. */
export type CsvRecord = { fields: string[]; line: number; lastLine: number }

/** The delimiters of CSV files. */
export type CsvDelimiter = ',' | '\t' | ';' | '|'

type State = 'record-start' | 'field-start' | 'in-field' | 'in-quotes' | 'after-quote'

/**
 * Reads CSV as Python's `csv.reader` does with a file opened as its documentation asks (`newline=''`): every value is a
 * string, a quote counts only where a field starts, text after a closing quote belongs to the field, empty lines are
 * skipped. Text is given in blocks, so that memory holds no more than a record; a block must not end between CR and LF.
 * @example [...new CsvReader(',').read('q,a\n"1, 2",3\n')].map(({ fields }) => fields) // => [['q', 'a'], ['1, 2', '3']]
 */
export class CsvReader {
  #state: State = 'record-start'
  #fields: string[] = []
  #field = ''
  #line = 1
  #firstLine = 1
  /** The next character that ends a field without quotes. */
  readonly #fieldEnd: RegExp

  constructor(
    readonly delimiter: CsvDelimiter,
    /** Whether an empty line is a record without fields, as for `csv.reader`; `csv.DictReader` skips it. */
    readonly options: { emptyLines?: boolean } = {},
  ) {
    this.#fieldEnd = { ',': /[,\r\n]/g, '\t': /[\t\r\n]/g, ';': /[;\r\n]/g, '|': /[|\r\n]/g }[delimiter]
  }

  /** The line of an unclosed quoted field; undefined if a record could end here. */
  get openQuote(): number | undefined {
    return this.#state === 'in-quotes' ? this.#firstLine : undefined
  }

  /** The records that end in this block. */
  *read(text: string): Generator<CsvRecord> {
    let at = 0
    while (at < text.length) {
      switch (this.#state) {
        case 'record-start':
          this.#firstLine = this.#line
          if (isNewline(text, at)) {
            at = this.#newline(text, at)
            if (this.options.emptyLines) yield { fields: [], line: this.#firstLine, lastLine: this.#firstLine }
          } else this.#state = 'field-start'
          break
        case 'field-start':
          if (text[at] === '"') {
            this.#state = 'in-quotes'
            at++
          } else this.#state = 'in-field'
          break
        case 'in-quotes': {
          const quote = text.indexOf('"', at)
          const part = text.slice(at, quote < 0 ? text.length : quote)
          this.#field += part
          this.#line += countNewlines(part)
          at += part.length + 1
          if (quote >= 0) this.#state = 'after-quote'
          break
        }
        case 'after-quote':
          if (text[at] === '"') {
            this.#field += '"'
            this.#state = 'in-quotes'
            at++
          } else this.#state = 'in-field'
          break
        case 'in-field': {
          this.#fieldEnd.lastIndex = at
          const end = this.#fieldEnd.exec(text)?.index ?? text.length
          this.#field += text.slice(at, end)
          at = end
          if (at === text.length) break
          if (text[at] === this.delimiter) {
            this.#endField()
            this.#state = 'field-start'
            at++
          } else {
            yield this.#endRecord()
            at = this.#newline(text, at)
          }
          break
        }
        default:
          this.#state satisfies never
      }
    }
  }

  /** The last record, if it does not end with a newline. */
  *end(): Generator<CsvRecord> {
    if (this.#state !== 'record-start') yield this.#endRecord()
  }

  #newline(text: string, at: number): number {
    this.#line++
    return text.startsWith('\r\n', at) ? at + 2 : at + 1
  }

  #endField(): void {
    this.#fields.push(this.#field)
    this.#field = ''
  }

  #endRecord(): CsvRecord {
    this.#endField()
    const record = { fields: this.#fields, line: this.#firstLine, lastLine: this.#line }
    this.#fields = []
    this.#state = 'record-start'
    return record
  }
}

function isNewline(text: string, at: number): boolean {
  return text[at] === '\n' || text[at] === '\r'
}

function countNewlines(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0
}
