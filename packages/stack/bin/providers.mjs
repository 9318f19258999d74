// `npm run operate -- provider …`. It needs no stack and no operator's key. The rails are named by their path: as a
// dependency they would close a circle, because their tests start stacks.
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { parseEnv } from 'node:util'

export async function checkProviders({ values }) {
  const [{ checkProviders }, { textTable }] = await Promise.all([
    import('../../rails/dist/check-providers.js'),
    import('../dist/operations/text-table.js'),
  ])
  const checks = await checkProviders(environmentOf(values), Date.now)
  return {
    text: textTable(checks.map(({ what, result, finding }) => [result, what, finding])),
    isGood: checks.every(({ result }) => result !== 'wrong'),
  }
}

export async function encryptCredential({ values: { certificate } }) {
  if (certificate === undefined) throw new Error('For which certificate? --certificate FILE')
  const { encryptCredential } = await import('../../rails/dist/mpesa/encrypt-credential.js')
  const file = readFileSync(certificate)
  const password = await readPassword()
  return {
    text: `MPESA_SECURITY_CREDENTIAL=${encryptCredential(password, file, Date.now())}\n`,
    isGood: true,
  }
}

/** The password is never an argument, because other users of the machine can read the arguments of a process. */
async function readPassword() {
  const { askHidden } = await import('../dist/operations/identity.js')
  const password = process.stdin.isTTY
    ? await askHidden('Password of the initiator: ')
    : (await text(process.stdin)).trimEnd()
  if (password === '') throw new Error('Give the password of the initiator')
  return password
}

export async function registerPull({ values }) {
  const { phone = '' } = values
  if (!/^254[17]\d{8}$/.test(phone)) {
    throw new Error('Which number did Safaricom nominate? --phone 254708374149')
  }
  const environment = environmentOf(values)
  const { registerPull } = await import('../../rails/dist/mpesa/register-pull.js')
  const callbackUrl = environment.CALLBACK_BASE_URL
  if (callbackUrl === undefined) throw new Error(needsWorker)
  const settings = await mpesaSettings(environment)
  const { isDone, message } = await registerPull(settings, wiring, { phone, callbackUrl })
  return { text: `${message}\n`, isGood: isDone }
}

export async function registerUrls({ values }) {
  const environment = environmentOf(values)
  const [{ openMpesa }, { payBillUrls, registerUrls }] = await Promise.all([
    import('../../rails/dist/mpesa/client.js'),
    import('../../rails/dist/mpesa/register-urls.js'),
  ])
  const urls = payBillUrls(environment)
  if (urls === undefined) throw new Error(needsWorker)
  const { payBill } = openMpesa(await mpesaSettings(environment), wiring)
  const { isDone, message } = await registerUrls(payBill, urls)
  return { text: `${message}\n`, isGood: isDone }
}

const needsWorker =
  'Give the environment of a worker that takes M-PESA: --env FILE; provider check says what is missing'
const wiring = { now: Date.now, wait, takeTurn: async () => 0, countEvent: () => undefined }

/** Refuses settings that a worker would refuse, because an address registered in production is hard to change again. */
async function mpesaSettings(environment) {
  const [{ mpesaVariables }, { settingProblems }] = await Promise.all([
    import('../../rails/dist/mpesa/settings.js'),
    import('../../rails/dist/setting-problems.js'),
  ])
  const [problem] = settingProblems(environment)
  if (problem !== undefined) throw new Error(`${problem.variable} ${problem.message}`)
  const read = mpesaVariables.schema.safeParse(environment)
  if (!read.success) throw new Error(needsWorker)
  return read.data
}

/** The environment of a worker: that of this process, or of a file with one KEY=VALUE a line. */
function environmentOf({ env }) {
  return env === undefined ? process.env : parseEnv(readFileSync(env, 'utf8'))
}
