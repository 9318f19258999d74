// `npx @malipo/simulator`: the simulator alone, for code that speaks to providers itself. `pack-simulator.mjs` packs it.
import process from 'node:process'
import logs from '../../runtime/dist/log.js'
import configs from '../../../services/simulator/dist/config.js'
import starts from '../../../services/simulator/dist/start.js'
import commands from '../dist/sandbox/run-command.js'
import options from '../dist/simulator/read-options.js'
import { runScenarioCommand } from './scenario.mjs'
import { askedToStop, onProgress, runToTheEnd, untilStopped } from './run-to-the-end.mjs'

const help = `Usage: malipo-simulator [OPTIONS] [-- COMMAND]
       malipo-simulator scenario FILE... [OPTIONS] [-- SHOP]

Plays M-PESA (Daraja), MTN MoMo, Airtel Money and a card gateway on this machine, with phones that pay. Prints where it is and which
merchant it plays. It keeps nothing: Ctrl-C ends it and its book.

With a COMMAND (malipo-simulator -- npm test) it runs that once it is ready, with SIMULATOR_URL and the merchant's credentials in its
environment, then stops and exits as the command did.

\`malipo-simulator scenario --help\` is about files that say what phones and providers do, and what must come of it.

  --port N            4010 unless given; auto takes a free one
  --strict            take what is documented; else also what the providers' hosts are known to take
  --whole-shillings   as in production: M-PESA takes whole shillings only
  --seed TEXT         the same receipts and the same luck each time
  --help              this text

MPESA_SHORTCODE, MPESA_CONSUMER_KEY and the other settings of the merchant are read from the environment.
`

for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

async function main() {
  const args = process.argv.slice(2)
  if (args[0] === 'scenario') {
    process.exitCode = await runScenarioCommand(args.slice(1), { onProgress })
    return
  }
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  if (own.includes('--help')) return process.stdout.write(help)
  const { environment, command } = options.readSimulatorOptions(args, process.env)
  const config = configs.readConfig(environment)
  const signal = askedToStop()
  const simulator = await starts.start(config, logs.openLog('simulator', config.logLevel))
  const url = `http://127.0.0.1:${simulator.ports.http}`
  const settings = options.settingsOf(url, environment)
  try {
    if (command.length > 0) {
      process.exitCode = await commands.runCommand(command, { settings, signal })
      return
    }
    process.stdout.write(table(url, settings))
    await untilStopped(signal)
  } finally {
    await simulator.stop()
  }
}

function table(url, settings) {
  const lines = Object.entries(settings).map(([name, value]) => `  ${name}=${value}`)
  return `
The simulator is ready: ${url}

Open it in a browser: phones, prompts, rules, what was called. Use it as the base URL of M-PESA, MTN MoMo, Airtel Money and the card
gateway, with this merchant:

${lines.join('\n')}

254700555001 (M-PESA), 256770555001 (MTN) and 256750555001 (Airtel) approve; other endings fail, time out or pay late: they are on its page.

Ctrl-C stops it.
`
}

runToTheEnd(main)
