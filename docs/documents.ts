import { readFileSync } from 'node:fs'

/** A statement of a document, and the test that shows it; `command` is how its reader would try it. */
export type ShownStatement = { says: string; file: string; test: string; command?: string }

type Document = { number: string; title: string; tests: readonly ShownStatement[] }

const inputs = 'packages/rolecall/src/cli/documents.test.ts'
const mlc = 'packages/core/src/prompt/format/mlc/mlc-format.test.ts'
const mlcCommands = 'packages/rolecall/src/cli/mlc.test.ts'
const mlcConfig = 'packages/core/src/prompt/format/mlc/read-mlc-conversation.test.ts'
const served = 'packages/rolecall/src/server/chat/mlc-settings.test.ts'
const internlm2 = 'packages/core/src/prompt/format/internlm2/document-words.test.ts'
const snippets = 'packages/rolecall/src/compat/opencompass/import/snippets.test.ts'

/** What is shown by a test of the code or of a command. What is shown by a prompt alone is a case in `cases/`, with its origin. */
export const documents: readonly Document[] = [
  {
    number: '000',
    title: 'OpenCompass: Meta Prompt',
    tests: [
      {
        says: 'every Python snippet, as it is printed',
        file: snippets,
        test: 'snippets pasted from the documents work, their slips included',
        command: 'rolecall render snippet.py',
      },
    ],
  },
  {
    number: '001',
    title: 'AISBench: Meta Template',
    tests: [
      {
        says: 'every Python snippet, as it is printed',
        file: snippets,
        test: 'snippets pasted from the documents work, their slips included',
        command: 'rolecall render snippet.py',
      },
      {
        says: '`PromptList([ … ])` beside a meta template: "leave the last BOT sentence for the model to generate"',
        file: inputs,
        test: 'a PromptList beside a meta template, "leave the last BOT sentence for the model to generate"',
        command: 'rolecall render both.py',
      },
      {
        says: '`PromptList([ … ])` alone',
        file: inputs,
        test: 'a PromptList alone, in any format',
        command: 'rolecall render list.py --format chatml',
      },
    ],
  },
  {
    number: '002',
    title: 'OpenCompass: Prompt template',
    tests: [
      {
        says: 'every Python snippet, as it is printed',
        file: snippets,
        test: 'snippets pasted from the documents work, their slips included',
        command: 'rolecall render snippet.py',
      },
      {
        says: '`example` with "假设 answer 被写在了 reader_cfg.output_column 中"; `ex1`, `ex2`, `ex3`',
        file: snippets,
        test: 'an example beside its template masks the answer, and ex1 to ex3 become examples; what was assumed is said',
      },
      {
        says: 'the PromptList between the two templates',
        file: snippets,
        test: 'a PromptList is a conversation, alone or beside a meta template',
      },
      {
        says: '"得到的中间结果为": what is said, before the format writes it',
        file: 'packages/rolecall/src/cli/render/show-conversation.test.ts',
        test: 'render --conversation prints what document 002 prints as PromptList, beside the prompt',
        command: 'rolecall render --conversation',
      },
      {
        says: 'the same, in the browser',
        file: 'packages/viewer/prompts.slow.test.ts',
        test: 'the conversation between the two templates is there to look at, as render --conversation prints it',
        command: 'rolecall view',
      },
      {
        says: 'the PromptList, asked and served',
        file: 'packages/rolecall/src/cli/documents.test.ts',
        test: 'run: a PromptList is asked, with or without a meta template',
        command: 'rolecall run list.py',
      },
      {
        says: 'separators between examples, `label -> prompt` dictionaries of dialogues among them',
        file: 'packages/core/src/prompt/conversation/label-map-examples.test.ts',
        test: 'examples that are dialogues have no separators; those of a map of labels to dialogues have them, unless they are set to nothing',
      },
      {
        says: '`HUMAN`, `BOT`, `prompt` in chats',
        file: internlm2,
        test: 'HUMAN, BOT and prompt, the words of documents 000 to 002, are understood in every format alike',
      },
    ],
  },
  {
    number: '003',
    title: 'MLC-LLM: How to Customize Conversation',
    tests: [
      {
        says: '`mlc-chat-config.json` with its comments and dots',
        file: inputs,
        test: 'a mlc-chat-config.json, its comments and dots included',
        command: 'rolecall render mlc-chat-config.json',
      },
      {
        says: '`conv_template`: "specifying a template name"',
        file: mlcCommands,
        test: 'render and view --format, and a config of init',
        command: 'rolecall render --format vicuna_v1.1',
      },
      {
        says: '`temperature`, `repetition_penalty`, `top_p` and their defaults',
        file: mlcConfig,
        test: 'has the defaults that the document states',
      },
      {
        says: 'settings are used, and checked',
        file: mlcCommands,
        test: 'run --formats and --mlc-config, with the settings of the file',
        command: 'rolecall run --mlc-config dist/vicuna',
      },
      {
        says: '`mean_gen_len`, `shift_fill_factor`',
        file: served,
        test: 'drops the oldest messages if they exceed its window, and reports it',
        command: 'rolecall serve --mlc-config dist/vicuna',
      },
      {
        says: '`tokenizer_files`',
        file: mlcCommands,
        test: 'are used for the ids, also where only a tokenizer.json stands beside it',
        command: 'rolecall tokens --mlc-config dist/vicuna',
      },
      {
        says: '`system` "can be customized to user-defined prompt"',
        file: mlc,
        test: 'system "can be customized to user-defined prompt": the markup around the text stays',
        command: 'rolecall chat --mlc-config dist/vicuna --system "Be brief."',
      },
      {
        says: '`offset`: "the point we start from examples"',
        file: mlc,
        test: '"the point we start from examples": messages behind the offset are left out, and it is said',
      },
      {
        says: '`separator_style` 1: "the model will not be aware of chat history"',
        file: mlc,
        test: '"the model will not be aware of chat history": with separator_style 1 earlier turns of a chat are left out, with a note',
      },
    ],
  },
  {
    number: '004',
    title: 'InternLM2-Chat: chat format',
    tests: [
      {
        says: 'the printed conversations, read and written again',
        file: inputs,
        test: 'a transcript of document 004 comes out as it went in, with BOS before it',
        command: 'rolecall render chat.txt',
      },
      {
        says: 'tools in the system prompt (`name=<|plugin|>`)',
        file: inputs,
        test: 'messages and tools as JSON',
        command: 'rolecall render asked.json',
      },
      {
        says: 'going on with a conversation',
        file: inputs,
        test: 'goes on with a conversation of a file',
        command: 'rolecall chat --load chat.txt',
      },
      { says: '`name=<|plugin|>` as a name', file: internlm2, test: '"name=<|plugin|>", as document 004 prints it, says what to write' },
      { says: 'calls "json 格式"', file: internlm2, test: 'NaN in the arguments of a call is malformed, not null' },
    ],
  },
]

/** The page: for each document the tests of this table, then its cases. */
export function documentPage(): string {
  return documents.map(documentSection).join('\n\n')
}

function documentSection({ number, title, tests }: Document): string {
  const shown = tests.map(
    ({ says, file, test, command }) => `| ${cell(says)} | ${cell(test)} (\`${file}\`) | ${command === undefined ? '' : `\`${command}\``} |`,
  )
  const cases = casesOf(number).map(({ name, origin }) => `| ${cell(origin)} | ${cell(name)} |`)
  return [
    `## ${number}: ${title}`,
    '',
    '| the document | the test that shows it | the command |',
    '| --- | --- | --- |',
    ...shown,
    '',
    `| the document | the case in \`proof/cases/document-${number}.json\` |`,
    '| --- | --- |',
    ...cases,
  ].join('\n')
}

function casesOf(number: string): { name: string; origin: string }[] {
  const given = JSON.parse(readFileSync(new URL(`../proof/cases/document-${number}.json`, import.meta.url), 'utf8')) as {
    cases: { name: string; origin: string }[]
  }
  return given.cases
}

function cell(text: string): string {
  return text.replace(/\|/g, '\\|').replace(/</g, '&lt;').replace(/\n/g, ' ')
}
