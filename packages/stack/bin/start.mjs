#!/usr/bin/env node
// `npm start`: the whole of Malipo on this machine.
import process from 'node:process'
import { setUp } from './set-up.mjs'
import { claimStack } from './claim-stack.mjs'
import { askedToStop, onProgress, runToTheEnd, untilStopped } from './run-to-the-end.mjs'

const help = `Usage: npm start [-- OPTIONS]

Installs and builds what is missing, starts PostgreSQL, Redis, every service and the provider simulator, and prints
where they are. Ctrl-C stops all of it. The data survives.

  --fresh        begin anew: drop the data, the secrets and the demo merchants of before
  --ports auto   use any free ports instead of 4000 to 4229, for a second stack, and the same ones next time
  --observe      run Prometheus and Alertmanager beside it, with k8s/observe/rules; the table says where
  --standby      a second database server replays the first, and npm run promote has it take its place
  --replicas 2   two gateways, ledgers and workers a country, the gateways behind a small TCP balancer, as in a cluster
  --cells 2      two cells a country, each with a ledger, a database and a worker; a demo merchant and a console each
  --whole-shillings
                 as in production: M-PESA takes whole shillings only, and payers are asked for the next one
  --till         M-PESA is paid at a till (Buy Goods) instead of a Pay Bill number
  --dir PATH     keep data, secrets and logs there instead of in .stack
  --help         this text

Environment: DATABASE_URL and REDIS_URL name servers of yours to use instead of embedded ones; the user of DATABASE_URL
makes the databases, and the roles that the services connect as. Whatever else the services read (CHECKOUT_LIFE_SECONDS,
KEY_CACHE_SECONDS, LOG_LEVEL, MTN_MOMO_PLATFORM, AIRTEL_API_VERSION, ...) is passed on to them. QUERY_AFTER_SECONDS (30 here) and INTENT_DEADLINE_SECONDS hold
for every rail, instead of each rail's own times. CALLBACK_UNCONFIRMED_MAX_MINOR (200000 here) is the most that a callback
is credited for before the provider itself was asked.
`

/** The reader of our output may close it (`npm start | head`); the stack runs on. */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

async function main() {
  if (process.argv.includes('--help')) return process.stdout.write(help)
  await setUp()
  const { readOptions } = await import('../dist/config.js')
  const { readyTable } = await import('../dist/table.js')
  const { createSampleCheckout } = await import('../dist/sample-checkout.js')

  const signal = askedToStop()
  const options = readOptions(process.argv.slice(2), process.env)
  const starting = claimStack(options, { onProgress, signal })
  // `npm run promote` sends this signal, as soon as stack.json has a standby.
  process.on('SIGUSR2', () => {
    starting
      .then((stack) => stack.promote())
      .catch((error) => onProgress(`The standby was not promoted: ${error.message}`))
  })
  const stack = await starting
  try {
    const checkoutUrl = await createSampleCheckout(stack.file, { onProgress, signal })
    process.stdout.write(readyTable(stack.file, options.dir, checkoutUrl))
    await untilStopped(signal)
  } finally {
    await stack.stop()
  }
}

runToTheEnd(main)
