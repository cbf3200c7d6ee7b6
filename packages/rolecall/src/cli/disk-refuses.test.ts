import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { folderWith } from '../../../../proof/testing/folder-with.ts'
import { rolecall } from '../../../../proof/testing/rolecall.ts'

const folder = () =>
  folderWith({
    'chats.jsonl': '{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello"}]}\n',
    'eval.py': "models = [dict(abbr='m', path='m')]\ndatasets = []\n",
    'rows.jsonl': '{"prompt":"Q","prediction":"A","gold":"A","score":1}\n',
    file: '',
  })

// Node's recursive mkdir in /proc never returns.
for (const place of ['file', ...(existsSync('/proc/self') ? ['/proc/rolecall'] : [])]) {
  test(`a place that cannot be written to (${place}) is told by every command that writes there`, async () => {
    const cwd = folder()
    const commands = [
      ['export', 'chats.jsonl', '-o', `${place}/below/train.jsonl`],
      ['import', 'eval.py', '-o', `${place}/below/eval.ts`],
      ['import', 'eval.py', '--report', `${place}/below/table.md`],
      ['why', 'rows.jsonl', 'rows.jsonl', '--export', `${place}/below/why.html`],
    ]
    for (const command of commands) {
      const { code, stderr } = await rolecall(command, cwd)
      expect([code, stderr], command.join(' ')).toEqual([
        2,
        expect.stringMatching(/part of this path is a file|no folder can be created here/),
      ])
    }
  })
}
