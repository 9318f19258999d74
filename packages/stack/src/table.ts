import type { Merchant, StackFile } from './stack-file'
import { autoApprovingPhone } from './auto-approving-phone'

/** What `npm start` prints when ready: the URLs, the demo merchants and commands to paste. */
export function readyTable(stack: StackFile, dir: string, checkoutUrl: string | undefined): string {
  const { ke, ug } = stack.hosts
  const rows: [string, string][] = [
    ['Kenya (KES)', ke.base_url],
    ['Uganda (UGX)', ug.base_url],
    ['Hub', `${ke.auth_url}/hub`],
    ['Documentation', stack.docs_url],
    ['Phones (simulator)', stack.simulator.url],
    ['Operations console', stack.console.url],
    ...cellRows(stack),
    ...observedRows(stack),
    ...(checkoutUrl === undefined ? [] : [['A checkout to pay', checkoutUrl] as [string, string]]),
    ['Card to pay with', '5123450000000008   01/39   code 100, on the page of any checkout'],
    ...stack.merchants.flatMap(merchantRows),
    ['Logs', `${dir}/logs`],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)
  return `
Malipo is ready.

${lines.join('\n')}

Create a checkout, pay it, read it:

${curlLines(stack).join('\n')}

The same by the command line of packages/cli, or with the SDK:

${exportLine(stack)}

Ctrl-C stops everything.
`
}

function cellRows({ cell_console: console }: StackFile): [string, string][] {
  return console === undefined ? [] : [['Console of cell 1', console.url]]
}

function observedRows({ prometheus, alertmanager }: StackFile): [string, string][] {
  if (prometheus === undefined || alertmanager === undefined) return []
  return [
    ['Metrics and rules', prometheus.url],
    ['Alerts', alertmanager.url],
  ]
}

/** The settings that the command line, the documentation and the SDK's README name. */
function exportLine({ hosts, merchants, simulator }: StackFile): string {
  const key = merchants.find(({ country }) => country === 'ke')?.secret_key ?? ''
  return `export MALIPO_URL=${hosts.ke.base_url} MALIPO_SIMULATOR_URL=${simulator.url} MALIPO_KEY=${key}`
}

function merchantRows(merchant: Merchant): [string, string][] {
  const { country, handle, pin, password, secret_key: key } = merchant
  return [
    [`Merchant ${country.toUpperCase()}`, `${handle}   PIN ${pin}   password ${password}`],
    ['', key],
  ]
}

/** Three lines for a shell with nothing but curl and sed. */
function curlLines(stack: StackFile): string[] {
  const base = stack.hosts.ke.base_url
  const merchant = stack.merchants.find(({ country }) => country === 'ke')
  const key = `-H 'Authorization: Bearer ${merchant?.secret_key ?? ''}'`
  const json = `-H 'Content-Type: application/json'`
  const checkouts = '/v1/payments/merchant/checkouts'
  return [
    `ID=$(curl -s ${base}${checkouts} ${key} ${json} -d '{"amount":150000,"description":"Two crates of mangoes"}' | sed -E 's/.*"id":"(cs_[a-z]+_[0-9a-f]+)".*/\\1/'); echo $ID`,
    `curl -s ${base}/v1/payments/public/checkouts/$ID/pay -H "Idempotency-Key: $ID" ${json} -d '{"phone":"${autoApprovingPhone}"}'; echo; sleep 3`,
    `curl -s ${base}${checkouts}/$ID ${key}; echo`,
  ]
}
