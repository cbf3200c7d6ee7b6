// `rolecall/jinja`: Jinja2 as Hugging Face's transformers configures it for chat templates.
export * from '@rolecall/core/jinja'
