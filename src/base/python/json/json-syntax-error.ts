/** Text that is not JSON: what was expected, and where. Lines and columns count from 1, the offset from 0, in UTF-16 units. */
export class JsonSyntaxError extends SyntaxError {
  override readonly name = 'JsonSyntaxError'
  readonly line: number
  readonly column: number
  readonly offset: number

  constructor(problem: string, text: string, offset: number) {
    const before = text.slice(0, offset)
    const line = before.split('\n').length
    const column = offset - before.lastIndexOf('\n')
    super(`line ${line}, column ${column}: ${problem}`)
    this.line = line
    this.column = column
    this.offset = offset
  }
}
