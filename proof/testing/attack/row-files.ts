import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolecall } from '../rolecall.ts'
import { type ScriptedServer, scriptedServer } from '../scripted-server.ts'
import type { Attack } from './attack.ts'

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

/** A picture of the user's, and texts that begin as media do. */
export const privateFiles: Readonly<Record<string, Uint8Array>> = {
  'secret.png': Buffer.concat([png, Buffer.from('private picture')]),
  'bm.txt': Buffer.from('BM is how this private text begins, which is no bitmap at all'),
  'id3.txt': Buffer.from('ID3 is how this private text begins, which is no sound at all'),
}

type Row = Readonly<Record<string, unknown>>
/** A row that names a private file, and the dataset that shows it. */
type RowAttack = {
  name: string
  dataset: (path: string) => { row: Row; config: Readonly<Record<string, unknown>>; files?: Readonly<Record<string, string>> }
}

const part = (url: string) => ({ type: 'image_url', image_url: { url } })
const asked = (...content: unknown[]) => ({
  prompt_template: { messages: [{ role: 'user', content: [...content, { type: 'text', text: '{q}' }] }] },
})
const columns = (...names: string[]) => ({ reader_cfg: { input_columns: ['q', ...names], output_column: 'a' } })
const ofColumn = (image: unknown, infer_cfg = asked(part('{image}')), more: object = { media_columns: ['image'] }) => ({
  row: { q: 'What?', a: 'x', image },
  config: { ...columns('image'), infer_cfg, ...more },
})
const plain = (value: unknown, infer_cfg = asked(part('{image}'))) => ofColumn(value, infer_cfg, {})
const url = (path: string) => pathToFileURL(path).href
const hashed = (path: string) => `${url(path)}#sha256=${createHash('sha256').update(readFileSync(path)).digest('hex')}`
const chat = (content: unknown) => ({
  row: { messages: [{ role: 'user', content }], a: 'x' },
  config: {
    reader_cfg: { input_columns: ['messages'], output_column: 'a' },
    infer_cfg: { prompt_template: { messages: [{ expand_column: 'messages' }] } },
  },
})

/** Every way in which rows of some format can name a file. */
export const rowAttacks: readonly RowAttack[] = [
  { name: 'an absolute path in a column of media', dataset: (path) => ofColumn(path) },
  { name: 'a URL in a column of media', dataset: (path) => ofColumn(url(path)) },
  { name: 'a URL with its hash in a column of media', dataset: (path) => ofColumn(hashed(path)) },
  { name: 'a list in a column of media', dataset: (path) => ofColumn([path, url(path)]) },
  { name: 'an object with a path in a column of media', dataset: (path) => ofColumn({ path }) },
  { name: 'a path that leads up', dataset: () => ofColumn('../private/FILE') },
  { name: 'a path that leads up behind a folder that is there', dataset: () => ofColumn('pictures/../../private/FILE') },
  { name: 'a URL that leads up', dataset: (path) => ofColumn(`${url(dirname(dirname(path)))}/project/%2e%2e/private/FILE`) },
  { name: 'a link beside the rows', dataset: () => ofColumn('linked-FILE') },
  { name: 'a folder that is a link', dataset: () => ofColumn('linked/FILE') },
  { name: 'a plain field in a part', dataset: (path) => plain(url(path)) },
  { name: 'a plain field with the hash in a part', dataset: (path) => plain(hashed(path)) },
  { name: 'a plain field behind file://', dataset: (path) => plain(path, asked(part('file://{image}'))) },
  {
    name: 'a plain field in input_audio',
    dataset: (path) => plain(url(path), asked({ type: 'input_audio', input_audio: { data: '{image}', format: 'wav' } })),
  },
  { name: 'a plain field in file_data', dataset: (path) => plain(url(path), asked({ type: 'file', file: { file_data: '{image}' } })) },
  {
    name: 'a plain field in image, as Hugging Face has it',
    dataset: (path) => plain(url(path), asked({ type: 'image', image: '{image}' })),
  },
  {
    name: 'a field beside a picture',
    dataset: (path) => plain(url(path), asked({ type: 'image_url', image_url: { url: 'cat.png', detail: '{image}' } })),
  },
  {
    name: 'a field beside a file of the config',
    dataset: (path) => plain(url(path), asked({ type: 'image_url', image_url: { url: 'file:CONFIG/cat.png', detail: '{image}' } })),
  },
  { name: 'a field that is a whole part', dataset: (path) => plain(part(url(path)), asked('{image}')) },
  { name: 'a field that is a list of parts', dataset: (path) => plain([part(url(path))], asked('{image}')) },
  { name: 'an interleaved text', dataset: (path) => plain(url(path), asked({ type: 'interleaved', text: '<image> {q}' })) },
  { name: 'messages of a row', dataset: (path) => chat([part(url(path)), { type: 'text', text: 'What?' }]) },
  { name: 'messages of a row, as references', dataset: (path) => chat([part(hashed(path)), { type: 'text', text: 'What?' }]) },
  {
    name: 'messages in a column of media',
    dataset: (path) => ({ ...chat([part(url(path))]), config: { ...chat([]).config, media_columns: ['messages'] } }),
  },
  {
    name: 'messages of OpenAI rows',
    dataset: (path) => ({ ...chat([part(url(path))]), config: { ...chat([]).config, row_format: 'messages' } }),
  },
  {
    name: 'a part of AISBench that names a file',
    dataset: (path) => ({
      row: { question_id: 1, question: 'What?', image: path },
      config: aisbench('image_path'),
      files: { 'val_annotations.json': '{"annotations":[{"question_id":1,"answers":[{"answer":"x"}]}]}' },
    }),
  },
  {
    name: 'a file that AISBench puts into a part',
    dataset: (path) => ({
      row: { question_id: 1, question: 'What?', image: path },
      config: aisbench('image_base64'),
      files: { 'val_annotations.json': '{"annotations":[{"question_id":1,"answers":[{"answer":"x"}]}]}' },
    }),
  },
]

function aisbench(imageType: string): Readonly<Record<string, unknown>> {
  return {
    type: 'TEXTVQADataset',
    image_type: imageType,
    with_parts: { text: { type: 'text', text: '{question}' }, image: part('file://{image}') },
    reader_cfg: { input_columns: ['content'], output_column: 'answer' },
    infer_cfg: { prompt_template: { messages: [{ role: 'user', content: ['{content}'] }] } },
  }
}

/** A user's folder with private files beside a project whose rows come from elsewhere, and a server that keeps what it is sent. */
export class RowFileTarget {
  readonly #home = realpathSync(mkdtempSync(join(tmpdir(), 'rolecall-home-')))
  readonly project = join(this.#home, 'project')
  readonly #server: ScriptedServer

  private constructor(server: ScriptedServer) {
    this.#server = server
    for (const folder of ['private', 'project/pictures']) mkdirSync(join(this.#home, folder), { recursive: true })
    for (const [name, content] of Object.entries(privateFiles)) {
      writeFileSync(join(this.#home, 'private', name), content)
      symlinkSync(join(this.#home, 'private', name), join(this.project, `linked-${name}`))
    }
    symlinkSync(join(this.#home, 'private'), join(this.project, 'linked'))
    writeFileSync(join(this.project, 'cat.png'), png)
  }

  static async open(): Promise<RowFileTarget> {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }]
    return new RowFileTarget(await scriptedServer(() => ({ json: { choices, usage: {} } })))
  }

  /** Runs the dataset; returns the private bytes that the server was sent, and how the command ended. */
  async attack(
    { dataset }: RowAttack,
    file: string,
  ): Promise<{ sent: string | undefined; code: number; stderr: string; requests: number }> {
    const path = join(this.#home, 'private', file)
    const {
      row,
      config,
      files = {},
    } = JSON.parse(JSON.stringify(dataset(path)).replaceAll('FILE', file).replaceAll('file:CONFIG', url(this.project))) as ReturnType<
      RowAttack['dataset']
    >
    return this.run(row, config, files, privateFiles[file]!)
  }

  async run(row: Row, config: object, files: Readonly<Record<string, string>> = {}, content: Uint8Array = png) {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.project, name), text)
    writeFileSync(join(this.project, 'val.jsonl'), `${JSON.stringify(row)}\n`)
    const model = {
      abbr: 'm',
      type: 'openai',
      path: 'm',
      base_url: `${this.#server.url}/v1`,
      format: 'messages',
      key_env: 'NO_KEY',
      retries: 0,
    }
    const dataset = { abbr: 'd', path: 'val.jsonl', eval_cfg: { evaluator: { type: 'AccEvaluator' } }, ...config }
    writeFileSync(join(this.project, 'config.json'), JSON.stringify({ models: [model], datasets: [dataset] }))
    const before = this.#server.seen.length
    const { code, stderr } = await rolecall(['run', 'config.json', '--work-dir', 'out', '--no-cache'], this.project)
    const seen = this.#server.seen.slice(before)
    // Base64 of the end, at each of the three places where a triple may begin.
    const parts = [0, 1, 2].map((start) =>
      Buffer.from(content.slice(content.length - 30 + start, content.length - 6 + start)).toString('base64'),
    )
    const sent = seen.find(({ body }) => parts.some((text) => body.includes(text)))?.body
    return { sent, code, stderr, requests: seen.length }
  }

  async close(): Promise<void> {
    await this.#server.close()
    rmSync(this.#home, { recursive: true, force: true })
  }
}

/** Rows that name private files, in every format and way. */
export const rowFiles: Attack = {
  name: 'row files',
  holds: 'no row has a file sent that is not below the folder of its data file or media_root, and no text passes as media',
  async run({ chance, goesOn, tried, gotThrough }) {
    const target = await RowFileTarget.open()
    try {
      while (goesOn()) {
        const attack = chance.pick(rowAttacks)
        const file = chance.pick(Object.keys(privateFiles))
        const { sent, stderr } = await target.attack(attack, file)
        tried()
        if (sent !== undefined) gotThrough(`${attack.name}, ${file}: ${sent.slice(0, 300)}`)
        if (/ {4}at |Error: /.test(stderr)) gotThrough(`${attack.name}, ${file} ended the command: ${stderr.slice(0, 500)}`)
      }
    } finally {
      await target.close()
    }
  },
}
