/** Names of roles in evaluation templates, and in chat messages. */
const speakers: readonly (readonly [inTemplates: string, inChats: string])[] = [
  ['HUMAN', 'user'],
  ['BOT', 'assistant'],
  ['SYSTEM', 'system'],
]

const inChats: ReadonlyMap<string, string> = new Map(speakers)
const inTemplates: ReadonlyMap<string, string> = new Map(speakers.map(([template, chat]) => [chat, template]))

/** A role's name in chat messages; a role specific to a format keeps its name. */
export function chatRole(role: string): string {
  return inChats.get(role) ?? role
}

/** The name in evaluation templates of a chat message's role; undefined if there is none. */
export function templateRole(role: string): string | undefined {
  return inTemplates.get(role)
}

/** The other name of the same role. */
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
