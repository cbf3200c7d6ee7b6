/** What `rolecall` and `rolecall --help` print: every command, and where to start. */
export const overview = `rolecall COMMAND [options]: the exact prompt, for every model

evaluate    run         send prompts to models, score the answers
            init        write a config for your data
            compare     which is better, and is it chance
            why         why two scores differ, cause by cause
            score       score a run again, without asking a model
            view        prompts, rows and results, in the browser
prompts     render      the exact prompt of any row for any model
            tokens      the same as tokens, with ids
            diff, lab   how two prompts differ; any chat on any template
templates   lint        what a chat template drops or changes
            convert     a format for another system, with proof
            verify      whether a server renders as its template says
serve       serve       a model, for OpenAI's and Anthropic's clients
            chat        talk to a model, with tools and Python
data        import      configs of other systems
            hub         models and datasets by name
            export      results, training, report: for others
runs        runs        merge, watch, ctl, queue, worker
            list        models, formats, presets, tasks, evaluators
            mcp doctor completion     for agents; this installation; your shell

start  rolecall run                the embedded model: no network, no key
       rolecall run --help         its flags; --help all: every one
`
