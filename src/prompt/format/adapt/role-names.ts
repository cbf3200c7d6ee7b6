/** Names of roles in evaluation templates, and in chat messages. */
const speakers: readonly (readonly [inTemplates: string, inChats: string])[] = [
  ['HUMAN', 'user'],
  ['BOT', 'assistant'],
  ['SYSTEM', 'system'],
]

const inChats: ReadonlyMap<string, string> = new Map(speakers)
const inTemplates: ReadonlyMap<string, string> = new Map(speakers.map(([template, chat]) => [chat, template]))

/** A role's name in chat messages; a role that only its format has keeps its name. */
export function chatRole(role: string): string {
  return inChats.get(role) ?? role
}

/** What evaluation templates call a role of chat messages; undefined where they have no name for it. */
export function templateRole(role: string): string | undefined {
  return inTemplates.get(role)
}

/** The other name of the same speaker. */
export function otherName(role: string): string | undefined {
  return inChats.get(role) ?? inTemplates.get(role)
}

/** Whether evaluation templates know a role of this name. */
export function isTemplateRole(role: string): boolean {
  return inChats.has(role)
}

export function isSystemRole(role: string): boolean {
  return role === 'SYSTEM' || role === 'system'
}
