import { labTexts } from '../../texts/lab.ts'
import { JsonField } from './json-field.tsx'

type Fields = { name?: string; description?: string; parameters?: object }
type ToolsFormProps = { tools: readonly object[]; onChange: (tools: readonly object[]) => void }

/** The tools that the model may call. */
export function ToolsForm({ tools, onChange }: ToolsFormProps) {
  const words = labTexts()
  const replace = (index: number, tool: object) => onChange(tools.map((one, at) => (at === index ? tool : one)))
  return (
    <>
      {tools.length === 0 && <p class="dim">{words.noTools}</p>}
      {tools.map((tool, index) => {
        const { name = '', description = '', parameters = {} } = fieldsOf(tool)
        const set = (changes: Fields) => replace(index, withFields(tool, changes))
        return (
          <article key={index} class="message tool">
            <header>
              <input
                class="name"
                aria-label={words.toolName}
                value={name}
                spellcheck={false}
                onInput={(event) => set({ name: event.currentTarget.value })}
              />
              <span class="spread" />
              <button
                type="button"
                class="flat"
                aria-label={`${words.remove}, ${name}`}
                title={words.remove}
                onClick={() => onChange(tools.filter((_, at) => at !== index))}
              >
                ×
              </button>
            </header>
            <textarea
              rows={1}
              aria-label={words.toolDescription}
              placeholder={words.toolDescription}
              value={description}
              onInput={(event) => set({ description: event.currentTarget.value })}
            />
            <JsonField
              label={words.toolParameters}
              value={parameters}
              is={isObject}
              onChange={(given) => set({ parameters: given })}
              rows={8}
            />
          </article>
        )
      })}
      <button
        type="button"
        class="wide-button"
        onClick={() =>
          onChange([
            ...tools,
            { type: 'function', function: { name: 'my_tool', description: '', parameters: { type: 'object', properties: {} } } },
          ])
        }
      >
        {words.addTool}
      </button>
    </>
  )
}

/** Tools may be wrapped in OpenAI's shape, or bare. */
function fieldsOf(tool: object): Fields {
  return 'function' in tool && isObject(tool.function) ? tool.function : tool
}

function withFields(tool: object, changes: Fields): object {
  return 'function' in tool && isObject(tool.function) ? { ...tool, function: { ...tool.function, ...changes } } : { ...tool, ...changes }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
