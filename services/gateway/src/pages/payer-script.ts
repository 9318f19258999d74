import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** In the order of their imports. */
const parts = [
  'counted.client.mjs',
  'intent-changes.client.mjs',
  'pay-form.client.mjs',
  'tab-state.client.mjs',
  'forward.client.mjs',
  'checkout-page.client.mjs',
]

/**
 * The payer page's script, inlined so that it costs no request. The files become one module there, without import and
 * export statements.
 */
export const payerScript = parts
  .map((name) => readFileSync(join(__dirname, name), 'utf8'))
  .join('\n')
  .replaceAll(/^import .*\n|^export (?=function )/gm, '')
