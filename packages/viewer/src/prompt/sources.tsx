import type { Row } from '@rolecall/core/internal/conversation'
import { dictKeys } from '@rolecall/core/internal/python'
import type { Source } from '@rolecall/core/internal/text'
import type { DatasetConfig, ModelConfig } from 'rolecall/internal/evaluation/config/config-schema'
import { promptTexts } from '../texts/prompt.ts'
import { DataTree } from './data-tree.tsx'
import { formatData } from './format-data.ts'
import { localPath } from './local-path.ts'

type SourcesProps = {
  model: ModelConfig
  dataset: DatasetConfig
  row: Row
  examples: readonly Row[]
  source: Source | undefined
  /** A chat template's source, shown instead of the config's text. */
  children?: preact.ComponentChildren
}

/** The sources of a prompt beside it: row, examples, template and format, with the hovered path highlighted. */
export function Sources({ model, dataset, row, examples, source, children }: SourcesProps) {
  const place = source && { path: localPath(source.path), span: source.span }
  const isField = source?.by === 'field'
  const inExample = source?.example
  const text = promptTexts()
  const templates = { infer_cfg: pick(dataset.infer_cfg, ['ice_template', 'prompt_template']) }
  return (
    <div class="sources">
      {dictKeys(row).length > 0 && (
        <Panel title={text.row} origin="field" isActive={isField && inExample === undefined}>
          <DataTree value={row} active={isField && inExample === undefined ? place : undefined} />
        </Panel>
      )}
      {examples.length > 0 && (
        <Panel title={text.rowExamples(examples.length)} origin="example" isActive={inExample !== undefined}>
          {examples.map((example, index) => (
            <div key={index} class={`example${inExample === index ? ' active' : ''}`}>
              <span class="example-number">{index}</span>
              <DataTree value={example} active={isField && inExample === index ? place : undefined} />
            </div>
          ))}
        </Panel>
      )}
      {Object.keys(templates.infer_cfg).length > 0 && (
        <Panel title={text.origins.template} origin="template" isActive={source?.by === 'template'}>
          <DataTree
            value={templates}
            active={source?.by === 'template' ? place : undefined}
            needle={isField ? `{${place!.path}}` : undefined}
            within={inExample === undefined ? 'infer_cfg.prompt_template' : 'infer_cfg.ice_template'}
          />
        </Panel>
      )}
      <Panel title={text.origins.format} origin="format" isActive={source?.by === 'format' || source?.by === 'tokenizer'}>
        {children}
        <DataTree
          value={children ? withoutTemplate(formatData(model)) : formatData(model)}
          active={source?.by === 'format' || source?.by === 'tokenizer' ? place : undefined}
        />
      </Panel>
    </div>
  )
}

function Panel({
  title,
  origin,
  isActive,
  children,
}: {
  title: string
  origin: string
  isActive: boolean
  children: preact.ComponentChildren
}) {
  return (
    <details class={`panel o-${origin}${isActive ? ' active' : ''}`} open>
      <summary>{title}</summary>
      <section
        class="panel-body"
        aria-label={title}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long panel is scrolled by keys
        tabIndex={0}
      >
        {children}
      </section>
    </details>
  )
}

function withoutTemplate({ chat_template: _, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return rest
}

function pick(value: object, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => keys.includes(key)))
}

/** Describes the origin of a range. */
export function describe({ by, path, example, span }: Source): string {
  const text = promptTexts()
  const where = `${path}${span ? ` [${span[0]}–${span[1]}]` : ''}`
  return `${example === undefined ? '' : `${text.inExample(example)} · `}${text.writers[by]} · ${where}`
}
