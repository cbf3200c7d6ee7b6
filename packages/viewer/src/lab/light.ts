/**
 * Points from a stretch of a prompt to the code that wrote it and to its message, and back. It changes classes of elements only: pointing
 * renders nothing.
 */
export function lightUp(event: Event, root: ParentNode, shown: number): HTMLElement | undefined {
  for (const lit of root.querySelectorAll('.lit')) lit.classList.remove('lit')
  const target = event.target instanceof Element ? event.target : undefined
  const piece = target?.closest<HTMLElement>('.piece')
  const line = target?.closest<HTMLElement>('.source li[data-start]')
  if (piece) {
    const { code, m: message } = piece.dataset
    const own = code === undefined ? [piece] : [...root.querySelectorAll(`.piece[data-c="${piece.dataset.c}"][data-code="${code}"]`)]
    for (const one of own) one.classList.add('lit')
    if (message !== undefined) root.querySelector(`[data-message="${message}"]`)?.classList.add('lit')
    if (code !== undefined && Number(piece.dataset.c) === shown) for (const one of linesAt(root, code)) one.classList.add('lit')
    return piece
  }
  if (line) {
    line.classList.add('lit')
    const [start, end] = [Number(line.dataset.start), Number(line.dataset.end)]
    for (const one of root.querySelectorAll<HTMLElement>(`.piece[data-c="${shown}"][data-code]`)) {
      const [from, to] = boundsOf(one.dataset.code ?? '')
      if (from < end && to > start) one.classList.add('lit')
    }
  }
  return undefined
}

/** The lines of the template that hold some code. */
export function linesAt(root: ParentNode, code: string): Element[] {
  const [from, to] = boundsOf(code)
  return [...root.querySelectorAll<HTMLElement>('.source li[data-start]')].filter(
    ({ dataset }) => Number(dataset.start) < Math.max(to, from + 1) && Number(dataset.end) > from,
  )
}

function boundsOf(code: string): [number, number] {
  const [from, to] = code.split('-').map(Number)
  return [from ?? 0, to ?? 0]
}
