// The board's protocol module on MicroPython, by its build for WebAssembly.
//
// Arguments: the folder of the module and the program that plays with it. On the standard input
// JSON, which the program finds in the file /script.json; what it prints goes to the standard output.

import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [folder, program] = process.argv.slice(2);

// The packages are those of the folder that this was started in.
const require = createRequire(join(process.cwd(), 'package.json'));
const file = require.resolve('@micropython/micropython-webassembly-pyscript/micropython.mjs');
const { loadMicroPython } = await import(pathToFileURL(file).href);

const said = [];
const board = await loadMicroPython({ heapsize: 512 * 1024, stdout: (line) => said.push(line) });
const home = `/lib/${basename(folder)}`;
board.FS.mkdir('/lib');
board.FS.mkdir(home);
for (const name of readdirSync(folder).filter((each) => each.endsWith('.py'))) {
  board.FS.writeFile(`${home}/${name}`, readFileSync(join(folder, name)));
}
board.FS.writeFile('/script.json', readFileSync(0));
board.runPython(readFileSync(program, 'utf8'));
process.stdout.write(said.join('\n'));
