/** What a format can take; `adaptConversation` brings a conversation into this shape or says what is missing. */
export type Traits = {
  /** The roles it knows. Undefined: any role, since it does not write roles. */
  roles?: readonly string[]
  /** The role of the user, who says text that has no role. */
  userRole?: string
  /** Text that no role says: written as it is, said by the user, left out (as the reference does), or refused. */
  looseText: 'verbatim' | 'as-user' | 'drop' | 'error'
  /** Whether turns may have names. */
  names?: boolean
  /** Whether it can tell the model about tools, and write calls. */
  tools?: boolean
  /** Whether it can tell the model about an interpreter and write code that runs there; else the interpreter is a tool like others. */
  interpreter?: boolean
  /** Whether each turn of a chat is written in the same way whatever stands around it. */
  turnsAlone?: boolean
  /**
   * What becomes of a system turn: it is a turn like any other (also where nothing is said here), it fills a slot before the
   * first turn, or there is no place for it.
   */
  system?: 'turn' | 'slot' | 'none'
  /** What stands between turns goes by their position, so that what one role says twice in a row has to be one turn. */
  alternates?: boolean
  /** Whether what is written depends on what is said, so that nothing can be prepared. */
  readsContent: boolean
  /** Parts of what is said may be left out, so that every row has to be rendered. */
  rewritesContent?: boolean
}
