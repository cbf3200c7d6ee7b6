/** Replaces a key that a server has echoed in its reply. */
const mask = '***'

/** Shorter keys are ordinary words (`none`, `EMPTY`), which would be missing from replies. */
const shortest = 8

/** Removes keys from a streamed reply: a server that echoes its headers must not write them into records and to clients. */
export class SecretFilter {
  readonly #secrets: readonly string[]
  #held = ''
  /** Whether one was found. */
  hasFound = false

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets.filter(({ length }) => length >= shortest)
  }

  /** Returns the text that is now certain: a possible beginning of a key is held back. */
  push(text: string): string {
    if (this.#secrets.length === 0) return text
    const clean = this.clean(this.#held + text)
    const held = Math.max(...this.#secrets.map((secret) => beginningAtEnd(clean, secret)))
    this.#held = clean.slice(clean.length - held)
    return clean.slice(0, clean.length - held)
  }

  end(): string {
    const rest = this.#held
    this.#held = ''
    return rest
  }

  /** A whole text without keys. */
  clean(text: string): string {
    let clean = text
    for (const secret of this.#secrets) {
      if (!clean.includes(secret)) continue
      this.hasFound = true
      clean = clean.replaceAll(secret, mask)
    }
    return clean
  }
}

/** How much of a key's beginning the text ends with. */
function beginningAtEnd(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length - 1); length > 0; length--) {
    if (text.endsWith(secret.slice(0, length))) return length
  }
  return 0
}
