/** What a format can take; `adaptConversation` brings a conversation into this shape or says what is missing. */
export type Traits = {
  /** The roles it knows. Undefined: any role, since it does not write roles. */
  roles?: readonly string[]
  /** The role of the user, who says text that has no role. */
  userRole?: string
  /** Text that no role says: written as it is, said by the user, left out (as the reference does), or refused. */
  looseText: 'verbatim' | 'as-user' | 'drop' | 'error'
  /** Whether what is written depends on what is said, so that nothing can be prepared. */
  readsContent: boolean
}
