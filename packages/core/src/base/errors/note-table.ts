/** What is the same for all notes with one code. */
export type NoteRow = {
  /** `warning`: probably a mistake, or results may differ from what is expected; `note`: for information. */
  severity: 'warning' | 'note'
  /** Part of a request does not reach the model or has no effect: servers report this to their clients, and chats show it. */
  isLoss?: true
  /** A conversation was rewritten, because the format does not write it as it is: servers report this to their clients. */
  isStep?: true
  /** What it says in general; the text of a note has the names and numbers. */
  en: string
  zh: string
}

/**
 * Notes by code. Each storey has one table, which code that emits notes uses only as a type: texts that nobody shows are not in bundles.
 * `rolecall/src/node/notes` joins all tables for the command line, the viewer and the docs.
 */
export type NoteTable = Readonly<Record<string, NoteRow>>
