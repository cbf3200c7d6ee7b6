import { appendFileSync } from 'node:fs'

/** An annotation of a GitHub workflow run. */
export type Annotation = { level: 'error' | 'warning' | 'notice'; title: string; message: string }

/** A workflow command; https://docs.github.com/actions/reference/workflow-commands-for-github-actions. */
export function annotationLine({ level, title, message }: Annotation): string {
  return `::${level} title=${property(title)}::${data(message)}`
}

/** Whether this runs in a GitHub workflow. */
export function isGitHub(environment: NodeJS.ProcessEnv = process.env): boolean {
  return environment.GITHUB_ACTIONS === 'true'
}

/** Prints annotations, and adds Markdown to the job summary. */
export function annotate(annotations: readonly Annotation[], markdown: string | undefined, output: NodeJS.WritableStream): void {
  for (const one of annotations) output.write(`${annotationLine(one)}\n`)
  const file = process.env.GITHUB_STEP_SUMMARY
  if (file && markdown !== undefined) appendFileSync(file, `${markdown}\n`)
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
