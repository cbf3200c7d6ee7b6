import { strip } from '@rolecall/core/internal/python'
import * as z from '@rolecall/core/internal/schema'
import { findAll, search } from '../../../python/regex/index.ts'
import { notFound } from './not-found.ts'
import { definePostprocessor } from './postprocessor.ts'

/**
 * How an answer is announced, in the search order of the reference; `@` is a placeholder for one of the options. Some
 * patterns are apparently typos in the reference (one of them is two), and scores depend on them.
 */
const announcements = String.raw`
答案是?\s*(@)
答案是?\s*：\s*(@)
答案是?\s*:\s*(@)
答案选项应?该?是\s*(@)
答案选项应?该?为\s*(@)
答案应该?是\s*(@)
答案应该?选\s*(@)
答案选项为?\s*：\s*(@)
答案选项为?\s+\(?\*?\*?(@)\*?\*?\)?
答案选项是?\s*:\s*(@)
答案为\s*(@)
答案选\s*(@)
选择?\s*(@)
故选?\s*(@)只有选?项?\s?(@)\s?是?对
只有选?项?\s?(@)\s?是?错
只有选?项?\s?(@)\s?不?正确
只有选?项?\s?(@)\s?错误
说法不?对选?项?的?是\s?(@)
说法不?正确选?项?的?是\s?(@)
说法错误选?项?的?是\s?(@)
(@)\s?是正确的
(@)\s?是正确答案
选项\s?(@)\s?正确
所以答\s?(@)
所以\s?(@[.。$]?$)
所有\s?(@[.。$]?$)
[\s，：:,](@)[。，,\.]?$
[\s，,：:][故即](@)[。\.]?$
[\s，,：:]因此(@)[。\.]?$
[是为。]\s?(@)[。\.]?$
因此\s?(@)[。\.]?$
显然\s?(@)[。\.]?$
答案是\s?(\S+)(?:。|$)
答案应该是\s?(\S+)(?:。|$)
答案为\s?(\S+)(?:。|$)
(?i)ANSWER\s*:\s*(@)
[Tt]he answer is:?\s+\(?(@)\)?
[Tt]he answer is:?\s+\(?\*?\*?(@)\*?\*?\)?
[Tt]he answer is option:?\s+\(?(@)\)?
[Tt]he correct answer is:?\s+\(?(@)\)?
[Tt]he correct answer is option:?\s+\(?(@)\)?
[Tt]he correct answer is:?.*?boxed{(@)}
[Tt]he correct option is:?.*?boxed{(@)}
[Tt]he correct answer option is:?.*?boxed{(@)}
[Tt]he answer to the question is:?\s+\(?(@)\)?
^选项\s?(@)
^(@)\s?选?项
(\s|^)@[\s。，,：:\.$]
1.\s?(.*?)$
1.\s?(@)[.。$]?$
`
  .trim()
  .split('\n')

/** If nothing is announced: an option before a colon, or any. */
const cushions = ['(@):', '(@)']

export const firstOption = definePostprocessor({
  names: ['first_option_postprocess', 'first_option'],
  does: 'The option that the answer announces, in English or Chinese: "The answer is B", "答案是B".',
  example: { options: { options: 'ABCD' }, answer: 'So the answer is (B).', becomes: 'B' },
  options: z.strictObject({
    options: z.string().check(z.describe('The options, one character each: "ABCD".')),
    cushion: z._default(z.boolean(), true).check(z.describe('Without an announcement take the first option that occurs.')),
  }),
  finds: true,
  process(text, { options, cushion }) {
    const stripped = strip(text)
    for (const announcement of cushion ? [...announcements, ...cushions] : announcements) {
      const found = search(
        announcement.replaceAll('@', () => `[${options}]`),
        stripped,
        { dotAll: true },
      )
      if (!found) continue
      const said = found[1] || found[0]
      for (const option of options) if (said.includes(option)) return option
    }
    return notFound()
  },
})

export const lastOption = definePostprocessor({
  names: ['last_option_postprocess', 'last_option'],
  does: 'The last option that occurs.',
  example: { options: { options: 'ABCD' }, answer: 'Not A. It is C.', becomes: 'C' },
  options: z.strictObject({ options: z.string().check(z.describe('The options, one character each: "ABCD".')) }),
  finds: true,
  process: (text, { options }) => findAll(`([${options}])`, text).at(-1) ?? notFound(),
})
