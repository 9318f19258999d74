import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file comes after those that it imports. */
const parts = [
  'counted.client.mjs',
  'intent-changes.client.mjs',
  'pay-form.client.mjs',
  'tab-state.client.mjs',
  'forward.client.mjs',
  'checkout-page.client.mjs',
]

/**
 * The payer page's script, inlined so that it costs no request. Its files become one module, so import and export
 * statements are removed.
 */
export const payerScript = parts
  .map((name) => readFileSync(join(__dirname, name), 'utf8'))
  .join('\n')
  .replaceAll(/^import .*\n|^export (?=function )/gm, '')
