import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { privateFiles, RowFileTarget, rowAttacks } from '../../../../../proof/testing/attack/row-files.ts'

describe.skipIf(process.platform === 'win32')('a file that a row names', () => {
  let target: RowFileTarget
  beforeAll(async () => {
    target = await RowFileTarget.open()
  })
  afterAll(() => target.close())

  test.for(rowAttacks)('is not sent: $name', async (attack) => {
    const { sent, code, stderr } = await target.attack(attack, 'secret.png')
    expect(sent).toBeUndefined()
    expect(stderr).not.toMatch(/ {4}at /)
    // Where the file is in no place of media, only its name is sent, as text. Knowing a file's hash, a row is refused when it is sent.
    const isRefused = /media_root|media_columns|names a file/.test(stderr) || (code === 4 && /hash|references/.test(attack.name))
    expect(isRefused || attack.name.startsWith('a field beside'), stderr).toBe(true)
  })

  test.for(Object.keys(privateFiles).filter((name) => name.endsWith('.txt')))(
    'is not sent where it only begins as media do: %s',
    async (file) => {
      const config = { media_columns: ['image'], media_root: '../private', ...imageOf }
      const { sent, stderr } = await target.run({ q: 'What?', a: 'x', image: `../private/${file}` }, config, {}, privateFiles[file])
      expect(sent).toBeUndefined()
      expect(stderr).toContain('is neither an image nor audio, a video or a PDF')
    },
  )

  const imageOf = {
    reader_cfg: { input_columns: ['q', 'image'], output_column: 'a' },
    infer_cfg: { prompt_template: { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: '{image}' } }] }] } },
  }

  test('is sent if it is beside the rows, or if the error’s one line was added', async () => {
    const row = { q: 'What?', a: 'x', image: 'cat.png' }
    expect(await target.run(row, { media_columns: ['image'], ...imageOf })).toMatchObject({ code: 0, sent: expect.any(String) })
    const other = { ...row, image: '../private/secret.png' }
    const refused = await target.run(other, { media_columns: ['image'], ...imageOf })
    expect(refused.sent).toBeUndefined()
    const [, root] = /add to the dataset: media_root: (\S+)/.exec(refused.stderr) ?? []
    const added = { media_columns: ['image'], media_root: root, ...imageOf }
    expect(await target.run(other, added, {}, privateFiles['secret.png'])).toMatchObject({ code: 0, sent: expect.any(String) })
  })

  test('is sent in messages of a row whose column is one of media', async () => {
    const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'cat.png' } }] }]
    const config = {
      reader_cfg: { input_columns: ['messages'], output_column: 'a' },
      infer_cfg: { prompt_template: { messages: [{ expand_column: 'messages' }] } },
      media_columns: ['messages'],
    }
    expect(await target.run({ messages, a: 'x' }, config)).toMatchObject({ code: 0, sent: expect.any(String) })
  })

  test('is sent where AISBench’s template writes file:// before it', async () => {
    const content = [{ type: 'image_url', image_url: { url: 'file://{image}' } }]
    const config = { ...imageOf, infer_cfg: { prompt_template: { messages: [{ role: 'user', content }] } }, media_columns: ['image'] }
    expect(await target.run({ q: 'What?', a: 'x', image: 'cat.png' }, config)).toMatchObject({ code: 0, sent: expect.any(String) })
  })
})
