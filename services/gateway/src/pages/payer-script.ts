import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What makes a payer page quicker where scripts run; it goes into the page, so that it costs no request. */
export const payerScript = readFileSync(join(__dirname, 'checkout-page.client.mjs'), 'utf8')
