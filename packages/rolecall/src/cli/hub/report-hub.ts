import type { HubOptions, HubProgress } from '../../node/hub/open-hub.ts'
import { shownSize } from '../../node/hub/shown-size.ts'
import { printable, printWarnings } from '../terminal.ts'

/** Shows downloads and assumptions on standard error: a line per file, with progress on a terminal. */
export function hubReporter(): Required<Pick<HubOptions, 'note' | 'onProgress'>> {
  const output = process.stderr
  let drawn = 0
  return {
    note: (note) => printWarnings([note]),
    onProgress({ name, file, done, total, free }: HubProgress) {
      const isComplete = done >= total
      // A log shows the start of a large download, too.
      const isDue = output.isTTY ? Date.now() - drawn > 100 : done === 0 && total > 1e8
      if (!isComplete && !isDue) return
      drawn = Date.now()
      const share = isComplete ? '' : ` ${Math.floor((100 * done) / total)} %`
      const space = isComplete || free === undefined ? '' : `; ${shownSize(free)} are free`
      output.write(
        `${output.isTTY ? '\r\u001b[2K' : ''}${isComplete ? 'downloaded' : 'downloading'} ${printable(name)} › ${printable(file)} (${shownSize(total)}${space})${share}${isComplete || !output.isTTY ? '\n' : ''}`,
      )
    },
  }
}
