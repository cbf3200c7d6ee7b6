/** The same measurement in Python: the median of seven intervals after a warm-up, with the template compiled once. */
export const pythonBenchmark = `
import datetime, json, sys, time
import jinja2.ext
from jinja2.sandbox import ImmutableSandboxedEnvironment

def raise_exception(message):
    raise jinja2.exceptions.TemplateError(message)

def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)

environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[jinja2.ext.loopcontrols])
environment.filters["tojson"] = tojson
environment.globals["raise_exception"] = raise_exception
environment.globals["strftime_now"] = lambda form: datetime.datetime.now().strftime(form)
given = json.load(sys.stdin)
template = environment.from_string(given["template"])
variables = given["variables"]

def rate(seconds):
    done, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        for _ in range(50):
            template.render(**variables)
        done += 50
    return done / (time.perf_counter() - start)

seconds = given["seconds"]
rate(2 * seconds)
rates = sorted(rate(seconds) for _ in range(7))
print(json.dumps({"rate": rates[3], "text": template.render(**variables)}))
`
