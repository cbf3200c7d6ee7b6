// Many rows: prepare() works out everything but the fields once; ByteSink is one buffer that is written again and again.

import { compilePrompt } from 'rolecall/datasets'
import { ByteSink } from 'rolecall/formats'

const maker = compilePrompt(
  { format: 'chatml' },
  {
    reader_cfg: { input_columns: ['a', 'b'], output_column: 'sum' },
    infer_cfg: {
      prompt_template: {
        template: {
          round: [
            { role: 'HUMAN', prompt: '{a} + {b} = ?' },
            { role: 'BOT', prompt: '{sum}' },
          ],
        },
      },
    },
  },
)
const prepared = maker.prepare({ mode: 'gen' })
const sink = new ByteSink()
let bytes = 0
for (let number = 0; number < 100_000; number++) {
  sink.clear()
  prepared.write({ a: number, b: 1, sum: number + 1 }, sink)
  bytes += sink.length // sink.written() is this prompt's UTF-8, until the next write
}
console.log(`${bytes} bytes; the last prompt:`)
console.log(new TextDecoder().decode(sink.written()))

// Prints:
// 6288890 bytes; the last prompt:
// <|im_start|>user
// 99999 + 1 = ?<|im_end|>
// <|im_start|>assistant
//
