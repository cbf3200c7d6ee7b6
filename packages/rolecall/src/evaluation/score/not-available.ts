const reasons = new Map<string, string>()

/** Names of other programs' classes that are refused for good, with the reason. */
export function registerUnavailable(more: Readonly<Record<string, string>>): void {
  for (const [name, reason] of Object.entries(more)) reasons.set(name, reason)
}

/** What an error says about a name that is not available: also why, if that is known. */
export function notAvailable(name: string): string {
  const reason = reasons.get(name)
  return `"${name}" is not available${reason === undefined ? '' : `: ${reason}`}`
}
