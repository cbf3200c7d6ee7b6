import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sized } from './sizes.ts'
import { atOnce, benchFolder, main, measure, type RunMeasurement, startServer } from './whole-runs.ts'

/** A whole run whose rows show an image of a megabyte each, against a local server. Fifty files are enough: each request reads its own. */
export async function measureRunOfImages(rows = sized(1000, 4), files = sized(50, 2)): Promise<RunMeasurement> {
  const folder = benchFolder()
  const server = await startServer(folder, 0)
  try {
    mkdirSync(join(folder, 'images'))
    for (let file = 0; file < files; file++) {
      const bytes = Buffer.alloc(1_000_000, file)
      writeFileSync(join(folder, 'images', `${file}.png`), Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), bytes]))
    }
    writeFileSync(join(folder, 'config.json'), JSON.stringify(configOf(rows, files, server.url)))
    return await measure(folder, rows, [main, 'run', 'config.json', '--no-cache'])
  } finally {
    server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function configOf(rows: number, files: number, url: string): object {
  const content = [
    { type: 'image_url', image_url: { url: '{image}' } },
    { type: 'text', text: '{question}' },
  ]
  const dataset = {
    abbr: 'images',
    rows: Array.from({ length: rows }, (_, id) => ({
      question: `Which animal is number ${id}?`,
      image: `images/${id % files}.png`,
      answer: 'cat',
    })),
    media_columns: ['image'],
    reader_cfg: { input_columns: ['question', 'image'], output_column: 'answer' },
    infer_cfg: { prompt_template: { messages: [{ role: 'user', content }] }, inferencer: { type: 'GenInferencer', max_out_len: 16 } },
  }
  const model = { abbr: 'mock', type: 'openai', path: 'mock', base_url: url, format: 'messages', concurrency: atOnce }
  return { models: [model], datasets: [dataset] }
}
