/** The lines of a chat template that rewrite earlier text as a conversation grows, as `rolecall lint` finds them: some hundred renders. */
export async function rewritingLines(source: string): Promise<readonly string[]> {
  // Most servers never need it.
  const { lintTemplate } = await import('../../workbench/lint/lint-template.ts')
  const { findings } = lintTemplate({ source }, { only: ['prefix-cache'] })
  return findings.map(({ place, problem }) => {
    // The rest of the sentence is about the conversations that lint renders.
    const [change = problem] = problem.split(': from character ')
    return place.kind === 'template' ? `line ${place.line}: ${change}` : change
  })
}
