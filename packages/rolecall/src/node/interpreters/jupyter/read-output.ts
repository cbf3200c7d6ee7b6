import { stripVTControlCharacters } from 'node:util'
import type { CodeOutput } from '../../../model/agent/interpreter.ts'
import type { JupyterMessage } from './jupyter-services.ts'

/** Writes an output that is not text to a file and returns its path. */
export type SaveOutput = (data: Uint8Array, ending: string) => string

/** Reads the output in a message of a kernel. A plotly plot arrives as JSON, which is not yet a page. */
export function readOutput(
  { header, content }: JupyterMessage,
  save: SaveOutput,
): CodeOutput | { kind: 'plotly'; json: string } | undefined {
  switch (header.msg_type) {
    case 'stream':
      return { kind: 'text', stream: content.name === 'stderr' ? 'stderr' : 'stdout', text: String(content.text) }
    case 'error': {
      const lines = Array.isArray(content.traceback) ? content.traceback.map(String) : []
      const text = stripVTControlCharacters(lines.join('\n'))
      return { kind: 'error', name: String(content.ename), message: String(content.evalue), text }
    }
    case 'execute_result':
    case 'display_data':
      return readData((content.data ?? {}) as Record<string, unknown>, save)
    default:
      return undefined
  }
}

function readData(data: Record<string, unknown>, save: SaveOutput): ReturnType<typeof readOutput> {
  const plot = data['application/vnd.plotly.v1+json']
  if (plot !== undefined) return { kind: 'plotly', json: typeof plot === 'string' ? plot : JSON.stringify(plot) }
  const png = data['image/png']
  if (typeof png === 'string') {
    const bytes = new Uint8Array(Buffer.from(png, 'base64'))
    return { kind: 'image', mime: 'image/png', data: bytes, path: save(bytes, 'png') }
  }
  const svg = textOf(data['image/svg+xml'])
  if (svg !== undefined) {
    const bytes = new TextEncoder().encode(svg)
    return { kind: 'image', mime: 'image/svg+xml', data: bytes, path: save(bytes, 'svg') }
  }
  const plain = textOf(data['text/plain'])
  const html = textOf(data['text/html'])
  // Before its first plot, plotly loads itself into the page.
  if (html !== undefined && plain === undefined && html.includes('window.PlotlyConfig')) return undefined
  // Prefer a meaningful text, as pandas provides for tables, over HTML; `<IPython.core.display.HTML object>` is not one.
  if (html !== undefined && (plain === undefined || /^<.* object.*>$/s.test(plain)))
    return { kind: 'html', html, path: save(new TextEncoder().encode(html), 'html') }
  return plain === undefined ? undefined : { kind: 'value', text: plain }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : Array.isArray(value) ? value.join('') : undefined
}
