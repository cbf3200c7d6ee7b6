/** `error`: prompts are wrong; `warning`: probably wrong, or needlessly expensive; `note`: worth knowing. */
export type Severity = 'error' | 'warning' | 'note'

/** Most severe first. */
export const severities: readonly Severity[] = ['error', 'warning', 'note']

/** A location in a template's source or in a config. */
export type Place =
  | {
      kind: 'template'
      /** From 1. */
      line: number
      /** From 1, in characters. */
      column: number
      /** The code at this location. */
      code: string
    }
  | { kind: 'config'; path: string }

/** The prompt that demonstrates a finding. */
export type ShownPrompt = {
  /** Describes the conversation or row it was rendered from. */
  of: string
  text: string
  /** The part of the text that the finding is about, in UTF-16 offsets. */
  mark?: readonly [start: number, end: number]
}

/** A problem with its location, a prompt that shows it, and a fix. */
export type Finding = {
  /** The id of the rule. */
  rule: string
  severity: Severity
  /** The linted file. */
  subject: string
  /** The part of the file, e.g. `models[0].chat_template`. Lines and columns are relative to it. */
  part?: string
  place: Place
  problem: string
  fix: string
  shown?: ShownPrompt
}

/** Whether a severity is at least as severe as another. */
export function isAtLeast(severity: Severity, least: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(least)
}

/** The file, and the part of it, of a finding. */
export type Whose = Pick<Finding, 'subject' | 'part'>
