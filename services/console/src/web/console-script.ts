import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file comes after those that it imports. */
const parts = ['act-bytes.client.mjs', 'own-key.client.mjs', 'console.client.mjs']

/** The script that every page has inline. Its files become one module, so import and export statements are removed. */
export const consoleScript = parts
  .map((name) => readFileSync(join(__dirname, name), 'utf8'))
  .join('\n')
  .replaceAll(/^import .*\n|^export (?=const |function |async function )/gm, '')
