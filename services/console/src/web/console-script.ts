import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** In the order of their imports. */
const parts = ['act-bytes.client.mjs', 'own-key.client.mjs', 'console.client.mjs']

/** The script of every page, inlined. The files become one module there, without import and export statements. */
export const consoleScript = parts
  .map((name) => readFileSync(join(__dirname, name), 'utf8'))
  .join('\n')
  .replaceAll(/^import .*\n|^export (?=const |function |async function )/gm, '')
