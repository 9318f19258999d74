// `npx @malipo/simulator scenario`: runs scenario files against a shop, and reports as CI systems read it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import clocks from '../../runtime/dist/clock.js'
import logs from '../../runtime/dist/log.js'
import configs from '../../../services/simulator/dist/config.js'
import reports from '../../../services/simulator/dist/scenarios/rules/junit.js'
import runs from '../../../services/simulator/dist/scenarios/run-scenarios.js'
import files from '../../../services/simulator/dist/scenarios/scenario-file.js'
import starts from '../../../services/simulator/dist/start.js'
import ports from '../dist/free-port.js'
import options from '../dist/simulator/read-options.js'
import { askedToStop } from './run-to-the-end.mjs'

const help = `Usage: malipo-simulator scenario FILE... [OPTIONS] [-- SHOP]

Runs scenario files (YAML or JSON) one after another, each in a simulation begun anew. Exits with 1 when one fails, and with 2 when a
file cannot be read; each message has the file and the line.

With a SHOP (scenario *.yaml -- node shop.js) it starts that first, with SIMULATOR_URL, the merchant's credentials and a free PORT in its
environment, and stops it at the end. \${SHOP_URL} in a file is http://127.0.0.1:PORT, or what the environment says.

  --junit FILE        write a JUnit report
  --url URL           use a simulator that runs already; its default session is reset before each scenario
  --schema            print the JSON schema of scenario files
  --port, --strict, --whole-shillings   as without scenario; the port is a free one unless given
  --help              this text

A file has a name and steps; each step is one of:
  phone: {msisdn, name, balance, pin, sim_state, policy: {answer, after_ms}}    adds a phone
  policy: {msisdn, answer, after_ms}       what a phone answers by itself
  pack: NAME                               plays a story: happy-path, callback-lost, ...
  rule: {on, when, effect, times, ...}     makes something go wrong
  call: {method, url, headers, body, expect: {status, body}, save: {NAME: path}, within_ms}    calls the shop
  answer: {msisdn, action, pin, within_ms} waits for a prompt, and answers it
  pay_bill: {msisdn, business_number, account_number, amount, pin, refused}     pays from the menu
  buy_goods: {msisdn, till_number, amount, pin}
  clock: {jump_ms, speed, paused}          virtual time
  expect: {event, facts, count, within_ms} waits for what the simulator saw: callback_delivered, prompt_closed, ...
  book: [{kind, amount, ...}]              all money that moved since the beginning
\${NAME} in a text is a variable of the environment, or what a step saved.
`

export async function runScenarioCommand(args, { onProgress }) {
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  if (own.includes('--help')) return print(help)
  const wanted = options.readScenarioOptions(args, process.env)
  if (wanted.schema) return print(`${JSON.stringify(files.scenarioSchema(), undefined, 2)}\n`)
  const texts = wanted.files.map((file) => ({ file, text: readFileSync(file, 'utf8') }))
  const problems = runs.problemsOf(texts)
  if (problems.length > 0) {
    onProgress(problems.join('\n'))
    return 2
  }
  const config = configs.readConfig(wanted.environment)
  const signal = askedToStop()
  const simulator =
    wanted.url === undefined &&
    (await starts.start(config, logs.openLog('simulator', config.logLevel)))
  try {
    const url = wanted.url ?? `http://127.0.0.1:${simulator.ports.http}`
    return await runAgainst(url, wanted, texts, signal)
  } catch (error) {
    if (!signal.aborted) throw error
    onProgress(signal.reason.message)
    return signal.reason.exitCode
  } finally {
    if (simulator) await simulator.stop()
  }
}

async function runAgainst(simulatorUrl, { environment, command, junit }, texts, signal) {
  const shop = await openShop(command, options.settingsOf(simulatorUrl, environment), signal)
  try {
    const running = runs.runScenarios(texts, {
      simulatorUrl,
      variables: { ...environment, ...shop.variables },
      clock: clocks.systemClock,
      // A scenario that is cut short fails only because its shop is stopped.
      ended: (result) => signal.aborted || print(lineOf(result)),
    })
    const results = await Promise.race([running, aborted(signal)])
    if (junit !== undefined) writeFileSync(junit, reports.junit(results))
    const failed = results.filter(({ failure }) => failure !== undefined).length
    print(`${results.length - failed} passed, ${failed} failed\n`)
    return failed === 0 ? 0 : 1
  } finally {
    await shop.stop()
  }
}

async function aborted(signal) {
  if (!signal.aborted) await once(signal, 'abort')
  throw signal.reason
}

function lineOf({ file, name, tookMs, failure }) {
  const seconds = (tookMs / 1_000).toFixed(1)
  if (failure === undefined) return `✓ ${name} (${seconds} s)\n`
  return `✗ ${name} (${seconds} s)\n  ${file}:${failure.line}: ${failure.message}\n`
}

/** Starts the shop by its command, on a free port. Without a command the shop runs elsewhere, or there is none. */
async function openShop([program, ...args], settings, signal) {
  const given = process.env.SHOP_URL
  if (program === undefined) return { variables: { SHOP_URL: given }, stop: () => undefined }
  const port = String(await ports.freePort())
  const child = spawn(program, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...settings, PORT: port },
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  await new Promise((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', reject)
  })
  const stop = async () => {
    child.kill('SIGTERM')
    const killing = setTimeout(() => child.kill('SIGKILL'), 5_000)
    await ended
    clearTimeout(killing)
  }
  const url = given ?? `http://127.0.0.1:${port}`
  try {
    await Promise.race([whenListening(url, child), aborted(signal)])
  } catch (error) {
    await stop()
    throw error
  }
  return { variables: { SHOP_URL: url }, stop }
}

const shopStartMs = 60_000

/**
 * Waits until the shop listens, by which time it has used the OAuth token of its start. The reset before each scenario
 * forgets tokens, and would break a start that is under way.
 */
async function whenListening(url, child) {
  const untilMs = Date.now() + shopStartMs
  for (;;) {
    const answered = await fetch(url).then(
      () => true,
      () => false,
    )
    if (answered) return
    if (child.exitCode !== null) throw new Error(`The shop ended with ${child.exitCode}`)
    if (Date.now() > untilMs) throw new Error(`Nothing listens at ${url}: the shop is to take PORT`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function print(text) {
  process.stdout.write(text)
  return 0
}
