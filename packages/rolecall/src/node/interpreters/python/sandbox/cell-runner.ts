/**
 * Runs cells like a notebook: the value of the last expression, tracebacks that start in the cell, and `_` for the last value. The result is
 * JSON, read from Python's memory, so that code that does not use JavaScript never calls it.
 *
 * The snapshot is taken after this has run. It therefore imports the modules that many programs use: the standard library is shipped as
 * source, and compiling `typing` takes longer than most programs run.
 */
export const cellRunner = `
def _make_cell_runner():
    import ast, builtins, inspect, json, linecache, random, time, traceback
    import array, bisect, calendar, cmath, collections, contextlib, copy, dataclasses, datetime, decimal, enum, fractions
    import functools, hashlib, heapq, io, itertools, math, numbers, operator, queue, re, statistics, string, struct
    import textwrap, types, typing, unicodedata
    from pyodide.code import CodeRunner
    names = {'__name__': '__main__', '__builtins__': builtins}
    count = 0
    waiting = None
    rest = time.sleep

    def sleep(seconds):
        # In one go it could not be interrupted.
        if not seconds > 0:
            return rest(seconds)
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            rest(min(left, 0.02))

    time.sleep = sleep

    def show(value):
        if value is None:
            return []
        names['_'] = value
        return ['value', repr(value)]

    def describe(error, cell):
        kind = type(error).__name__
        try:
            place = error.__traceback__
            while place is not None and place.tb_frame.f_code.co_filename != cell:
                place = place.tb_next
            missing = error.name if isinstance(error, ModuleNotFoundError) else None
            if missing:
                error.msg = f'No module named {missing!r}'
                error.args = (error.msg,)
            text = ''.join(traceback.format_exception(type(error), error, place))
            return ['error', kind, str(error), text, missing]
        except BaseException as other:
            return ['error', kind, '', f'{kind} (its description failed: {type(other).__name__})', None]

    async def run_async(code, cell):
        try:
            return json.dumps(show(await code.run_async(names)))
        except BaseException as error:
            return json.dumps(describe(error, cell))

    def run(code):
        nonlocal count, waiting
        count += 1
        cell = f'<cell {count}>'
        linecache.cache[cell] = (len(code), None, code.splitlines(True), cell)
        try:
            compiled = CodeRunner(code, filename=cell, flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT).compile()
            # What does not wait runs outside of the event loop, where an interruption goes to the code and nowhere else.
            if compiled.code and compiled.code.co_flags & inspect.CO_COROUTINE:
                waiting = run_async(compiled, cell)
                return '"waits"'
            return json.dumps(show(compiled.run(names)))
        except BaseException as error:
            return json.dumps(describe(error, cell))

    def wait():
        # What run_cell has left to wait for, which only the event loop of JavaScript can.
        return waiting

    # A snapshot holds the state of random numbers, too, which would be the same in every Python.
    return run, wait, random.seed

_run_cell, _wait_for_cell, _seed = _make_cell_runner()
`
