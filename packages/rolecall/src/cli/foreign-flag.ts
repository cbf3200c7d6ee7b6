/** How many words a flag takes: none, one, one at most, names, several texts, or pairs `key=value`. */
export type FlagWords = 'none' | 'one' | 'optional' | 'names' | 'words' | 'pairs'

/** A flag of another harness. Without `ignored` and `refused`, a flag of this command with the same name does the same. */
export type ForeignFlag = {
  takes: FlagWords
  short?: string
  /** The flag of this command that does the same, if it has another name. */
  is?: string
  /** Why it changes nothing, for a note. */
  ignored?: string
  refused?: { problem: string; fix: string }
}
