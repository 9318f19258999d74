#!/usr/bin/env node
// `npx @malipo/sandbox`: what `npm start` starts, from a package instead of a clone. It is packed by packages/sandbox.
import process from 'node:process'
import { claimStack } from './claim-stack.mjs'
import { askedToStop, onProgress, runToTheEnd, untilStopped } from './run-to-the-end.mjs'

const help = `Usage: malipo-sandbox [OPTIONS] [-- COMMAND]

Starts Malipo on this machine: both countries, and a simulator of M-PESA, MTN, Airtel and cards whose phones pay. Prints where it is and
a key. Ctrl-C stops it. The data survives.

With a COMMAND (malipo-sandbox -- npm test) it runs that once all is ready, with MALIPO_URL, MALIPO_KEY and MALIPO_SIMULATOR_URL in
its environment, then stops and exits as the command did.

  --return-to URL     serve https://localhost:4043, which sends browsers on to the same path of your shop, where payers come back to URL:
                      a return_url must be https
  --ready-file FILE   write these settings to FILE (NAME=value) when all is ready, and remove it at the end
  --ports auto        use any free ports instead of 4000 to 4229, and the same ones next time
  --whole-shillings   as in production: M-PESA takes whole shillings only, and payers are asked for the next one
  --fresh             begin anew: drop the data, the secrets and the merchants of before
  --dir PATH          keep data, secrets and logs there instead of in ~/.malipo/sandbox
  --help              this text

It needs Node 20.19 and Redis or Valkey; where neither is installed, Debian's package is unpacked beside this program. What the services
read from the environment (CHECKOUT_LIFE_SECONDS, LOG_LEVEL, ...) is passed on to them.
`

// The reader of our output may close it (`malipo-sandbox | head`); the sandbox runs on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

async function main() {
  const args = process.argv.slice(2)
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  if (own.includes('--help')) return process.stdout.write(help)
  const { readSandboxOptions } = await import('../dist/sandbox/read-options.js')
  const options = readSandboxOptions(args, process.env, process.cwd())
  const signal = askedToStop()
  const stack = await claimStack(options.stack, { onProgress, signal })
  try {
    await serve(stack.file, options, signal)
  } finally {
    await stack.stop()
  }
}

async function serve(file, { stack, readyFile, returnTo, command }, signal) {
  const { returnPortBeside } = await import('../dist/ports.js')
  const { createSampleCheckout } = await import('../dist/sample-checkout.js')
  const { openReturnHost } = await import('../dist/sandbox/return-host.js')
  const { runCommand } = await import('../dist/sandbox/run-command.js')
  const { removeReadyFile, settingsOf, writeReadyFile } =
    await import('../dist/sandbox/settings.js')
  const { readyTable } = await import('../dist/table.js')
  const port = returnPortBeside(file.hosts.ke.base_url)
  const returnHost = returnTo && (await openReturnHost({ dir: stack.dir, returnTo, port }))
  const settings = settingsOf(file, returnHost?.url)
  if (readyFile) writeReadyFile(readyFile, settings)
  try {
    if (command.length > 0) {
      process.exitCode = await runCommand(command, { settings, signal })
      return
    }
    const checkoutUrl = await createSampleCheckout(file, { onProgress, signal })
    process.stdout.write(readyTable(file, stack.dir, checkoutUrl))
    if (returnHost)
      process.stdout.write(
        `\nPayers come back to ${returnTo} by an https address. Your browser asks once, or trusts ${returnHost.authorityFile}\n\nexport RETURN_URL=${returnHost.url}\n`,
      )
    await untilStopped(signal)
  } finally {
    returnHost?.stop()
    if (readyFile) removeReadyFile(readyFile)
  }
}

runToTheEnd(main)
