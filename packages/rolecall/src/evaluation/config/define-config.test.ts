import { describe, expect, expectTypeOf, test } from 'vitest'
import { compilePrompt } from '../../../../core/src/prompt/compile/compile-prompt.ts'
import { promptText } from '../../../../core/src/prompt/format/prompt-text.ts'
import type { Config } from './config-schema.ts'
import { defineConfig } from './define-config.ts'

// The `@ts-expect-error` comments are the tests: `npm run types` fails if an expected error disappears.

const reader_cfg: { input_columns: ['q', 'hint']; output_column: 'a' } = { input_columns: ['q', 'hint'], output_column: 'a' }

test('a config is returned unchanged', () => {
  const config = { models: [], datasets: [] }
  expect(defineConfig(config)).toBe(config)
})

test('a defined config can be compiled, and keeps its literal types', () => {
  const config = defineConfig({
    models: [{ abbr: 'plain' }],
    datasets: [
      {
        abbr: 'sums',
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: { prompt_template: { template: { round: [{ role: 'HUMAN', prompt: 'Q: {question}' }] } } },
      },
    ],
  })
  expectTypeOf(config.datasets[0].abbr).toEqualTypeOf<'sums'>()
  const { prompt } = compilePrompt(config.models[0], config.datasets[0]).render({ row: { question: '1+1' }, mode: 'gen' })
  expect(promptText(prompt)).toBe('Q: 1+1')
})

describe('what type-checks', () => {
  const define = () => {
    defineConfig({})
    defineConfig({ models: [{ abbr: 'a', meta_template: { round: [{ role: 'HUMAN', begin: [1, '<b>'] }] } }] })
    defineConfig({ datasets: [{ infer_cfg: { prompt_template: { template: '{anything}' } } }] }) // No columns are declared.
    defineConfig({ datasets: [{ reader_cfg, infer_cfg: { prompt_template: { template: '{q} {hint} {a}' } } }] })
    defineConfig({ datasets: [{ reader_cfg, infer_cfg: { prompt_template: { template: '{{q}} {} { x } {"x": 1} {x.y}' } } }] })
    defineConfig({ datasets: [{ reader_cfg, infer_cfg: { prompt_template: { template: '\\boxed{} \\frac{\\pi}{x+1}' } } }] })
    // Braces of TeX, of a shell, in braces and in code are not fields; `fieldsInText` treats them the same way.
    defineConfig({
      datasets: [{ reader_cfg, infer_cfg: { prompt_template: { template: '{q} in $\\mathrm{kg}$ or \\text{km} \\\\{a}' } } }],
    })
    defineConfig({
      datasets: [{ reader_cfg, infer_cfg: { prompt_template: { template: '\\frac{x}{y} \\sqrt[n]{z} x^{n}_{i} {q}' } } }],
    })
    defineConfig({
      datasets: [{ reader_cfg, infer_cfg: { prompt_template: { template: '\\mathbf{{A}} \\operatorname*{argmax} {"x":{y}}' } } }],
    })
    defineConfig({ datasets: [{ reader_cfg, infer_cfg: { prompt_template: { template: '```\nf"{x}"\n```\n{q}' } } }] })
    defineConfig({
      datasets: [
        {
          reader_cfg: { input_columns: 'q' },
          infer_cfg: {
            ice_template: { type: 'PromptTemplate', template: { A: '</E>{q}', B: { begin: '</E>', round: ['{q}'] } }, ice_token: '</E>' },
            prompt_template: { messages: ['</E>', { role: 'user', content: '{q}' }, { expand_column: 'history' }] },
          },
        },
      ],
    })
    // Strings and columns that are not literal cannot be checked.
    const template = `{${'un'.repeat(2)}}`
    defineConfig({ datasets: [{ reader_cfg, infer_cfg: { prompt_template: { template } } }] })
    const columns: string[] = ['question']
    defineConfig({ datasets: [{ reader_cfg: { input_columns: columns }, infer_cfg: { prompt_template: { template: '{other}' } } }] })
    const config: Config = { datasets: [] }
    defineConfig(config)
    // Keys of OpenCompass that are deliberately not read, unknown classes with unknown keys, and full class paths.
    defineConfig({ models: [{ type: 'openai', path: 'm', run_cfg: {}, generation_kwargs: { temperature: 1, typical_p: 1 } }] })
    defineConfig({ models: [{ type: 'LightllmAPI', url: 'http://x', anything: 1 }] })
    defineConfig({
      datasets: [
        {
          type: 'RulerNiahDataset',
          num_samples: 3,
          infer_cfg: { inferencer: { type: 'opencompass.GenInferencer' } },
          eval_cfg: {
            evaluator: { type: 'mine.Judge', anything: 1 },
            pred_postprocessor: { type: 'first_option_postprocess', options: 'AB' },
          },
        },
        {
          infer_cfg: {},
          eval_cfg: { evaluator: ({ prediction, reference }) => prediction === reference, pred_postprocessor: (text) => text },
        },
        { preset: 'mmlu', path: 'data' },
      ],
    })
    const model = { type: 'openai' as string, path: 'm' }
    defineConfig({ models: [model] })
  }

  test('runs, too', () => {
    expect(define).not.toThrow()
  })
})

describe('what does not type-check', () => {
  const define = () => {
    // @ts-expect-error {x} is not among the declared columns
    defineConfig({ datasets: [{ reader_cfg, infer_cfg: { prompt_template: { template: '{x}' } } }] })

    // @ts-expect-error a field beside TeX
    defineConfig({ datasets: [{ reader_cfg, infer_cfg: { prompt_template: { template: '\\mathrm{kg} {x}' } } }] })

    // @ts-expect-error a field after a new line that is written out
    defineConfig({ datasets: [{ reader_cfg, infer_cfg: { prompt_template: { template: '{q}\\n{x}' } } }] })

    // @ts-expect-error the same in a turn of a dialogue
    defineConfig({ datasets: [{ reader_cfg, infer_cfg: { prompt_template: { template: { round: [{ role: 'H', prompt: '{x}' }] } } } }] })

    // @ts-expect-error the same in the template of a label
    defineConfig({ datasets: [{ reader_cfg, infer_cfg: { prompt_template: { template: { A: '{q}', B: '{x}' } } } }] })

    // @ts-expect-error the same in an ice_template
    defineConfig({ datasets: [{ reader_cfg, infer_cfg: { ice_template: { template: '{x}' } } }] })

    // @ts-expect-error the same in a message
    defineConfig({ datasets: [{ reader_cfg, infer_cfg: { prompt_template: { messages: [{ role: 'user', content: '{x}' }] } } }] })

    // @ts-expect-error the same in the second of two datasets
    defineConfig({ datasets: [{ infer_cfg: {} }, { reader_cfg, infer_cfg: { prompt_template: { template: '{x}' } } }] })

    // @ts-expect-error a misspelt key of the config
    defineConfig({ model: [] })

    // @ts-expect-error a misspelt key of infer_cfg
    defineConfig({ datasets: [{ infer_cfg: { prompt_templates: { template: 'x' } } }] })

    // @ts-expect-error an address by another name
    defineConfig({ models: [{ type: 'openai', path: 'm', url: 'http://x' }] })

    // @ts-expect-error a limit by another name
    defineConfig({ models: [{ type: 'openai', path: 'm', max_tokens: 5 }] })

    // @ts-expect-error a misspelt setting
    defineConfig({ models: [{ type: 'openai', path: 'm', temprature: 5 }] })

    // @ts-expect-error a misspelt setting in generation_kwargs
    defineConfig({ models: [{ type: 'openai', path: 'm', generation_kwargs: { temprature: 1 } }] })

    // @ts-expect-error a type that there is not
    defineConfig({ models: [{ type: 'opnai', path: 'm' }] })

    // @ts-expect-error a format that there is not
    defineConfig({ models: [{ type: 'openai', path: 'm', format: 'chatmll' }] })

    // @ts-expect-error a key of a dataset by another name
    defineConfig({ datasets: [{ file: 'x.jsonl', infer_cfg: {} }] })

    // @ts-expect-error a misspelt key of the reader
    defineConfig({ datasets: [{ reader_cfg: { input_column: ['q'] }, infer_cfg: {} }] })

    // @ts-expect-error a key of the retriever that nothing reads
    defineConfig({ datasets: [{ infer_cfg: { retriever: { shots: 3 } } }] })

    // @ts-expect-error an inferencer that there is not
    defineConfig({ datasets: [{ infer_cfg: { inferencer: { type: 'GenInferncer' } } }] })

    // @ts-expect-error an evaluator that there is not
    defineConfig({ datasets: [{ infer_cfg: {}, eval_cfg: { evaluator: { type: 'AccEvaluatr' } } }] })

    // @ts-expect-error a postprocessor that there is not
    defineConfig({ datasets: [{ infer_cfg: {}, eval_cfg: { pred_postprocessor: 'frist_number' } }] })

    // @ts-expect-error a judge with an address by another name
    defineConfig({ datasets: [{ infer_cfg: {}, eval_cfg: { evaluator: { judge_cfg: { type: 'openai', url: 'x' } } } }] })

    // @ts-expect-error a dataset without infer_cfg
    defineConfig({ datasets: [{ abbr: 'x' }] })

    // @ts-expect-error a role of messages that does not exist
    defineConfig({ datasets: [{ infer_cfg: { prompt_template: { messages: [{ role: 'usr', content: 'x' }] } } }] })
  }

  test('is no error at run time: the config is checked when it is loaded', () => {
    expect(define).not.toThrow()
  })
})
