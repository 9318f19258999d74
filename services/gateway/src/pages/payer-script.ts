import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Each after those that it imports. */
const parts = [
  'counted.client.mjs',
  'intent-changes.client.mjs',
  'pay-form.client.mjs',
  'checkout-page.client.mjs',
]

/**
 * What makes a payer page quicker where scripts run; it goes into the page, so that it costs no request. Its parts stand
 * in one module there, without the words that join them as files.
 */
export const payerScript = parts
  .map((name) => readFileSync(join(__dirname, name), 'utf8'))
  .join('\n')
  .replaceAll(/^import .*\n|^export (?=function )/gm, '')
