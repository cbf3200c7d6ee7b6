import { PromptError } from '../../../base/errors/prompt-error.ts'
import { dictEntries, dictFromEntries, dictGet, pyEqual } from '../../../base/python/index.ts'
import { type Chunks, oneByOne } from '../../../evaluation/dataset/chunks.ts'
import type { Row } from '../../../prompt/conversation/row.ts'

/** Adds the columns of an answers file, row by row; existing columns win. */
export async function* joinAnswers(rows: Chunks<Row>, answers: Chunks<Row>, path: string): AsyncGenerator<Iterable<Row>> {
  const others = oneByOne(answers)
  let number = 0
  try {
    for await (const chunk of rows) {
      const joined: Row[] = []
      for (const row of chunk) joined.push(join(row, (await others.next()).value as Row | undefined, `${path}, row ${number++}`))
      yield joined
    }
  } finally {
    await others.return(undefined)
  }
}

function join(row: Row, answer: Row | undefined, where: string): Row {
  if (answer === undefined) {
    throw new PromptError('no-answer-row', {
      where,
      problem: 'the file has fewer rows than the questions',
      fix: 'give it one row per question, in the same order',
    })
  }
  const [id, other] = [dictGet(row, 'id'), dictGet(answer, 'id')]
  if (id !== undefined && other !== undefined && !pyEqual(id, other)) {
    throw new PromptError('other-answer-row', {
      where,
      problem: `the answer belongs to ${JSON.stringify(other)}, but the question is ${JSON.stringify(id)}`,
      fix: 'sort the answers like the questions',
    })
  }
  return dictFromEntries([...dictEntries(answer), ...dictEntries(row)])
}
