import { useEffect, useState } from 'preact/hooks'

/** Whether the page is being printed: collapsed parts are then shown. */
export function useIsPrinted(): boolean {
  const [isPrinted, setPrinted] = useState(false)
  useEffect(() => {
    const paper = matchMedia('print')
    const changed = () => setPrinted(paper.matches)
    const [begin, end] = [() => setPrinted(true), () => setPrinted(false)]
    paper.addEventListener('change', changed)
    // Some browsers report printing only by these events.
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', end)
    return () => {
      paper.removeEventListener('change', changed)
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinted
}
