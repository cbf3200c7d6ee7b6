/**
 * Information for readers of a rendered prompt: a fallback that was used, examples that were dropped, a turn without content. Notes are
 * part of the prompt, and `render` and the report show them.
 */
export type Note = {
  /** For programs, kebab-case, e.g. `fallback-role`. */
  code: string
  /** For people, one sentence. */
  text: string
  /** The path in the config. */
  where?: string
}

/** Whether a note says that some turns do not reach the model; chats show it. */
export function saysLeftOut({ code }: Note): boolean {
  return code === 'history-left-out' || code === 'messages-left-out'
}

/** The notes without duplicates, in order: a note concerns the config, so once is enough. */
export function distinctNotes(notes: readonly Note[]): Note[] {
  if (notes.length < 2) return [...notes]
  const seen = new Set<string>()
  return notes.filter((note) => {
    const key = `${note.code}\u0000${note.where ?? ''}\u0000${note.text}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
