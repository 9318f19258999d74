import { type Country, isCountry } from '@malipo/kernel/countries'

/** Finds settings that are each well formed and wrong together, when a process starts and not when a payer pays. */

export interface SettingProblem {
  readonly variable: string
  /** What is wrong, and what to do. */
  readonly message: string
}

type Environment = Readonly<Record<string, string | undefined>>

interface Hosts {
  readonly variable: string
  readonly name: string
  readonly production: RegExp
  readonly sandbox: RegExp
  readonly example: string
}

const safaricom: Hosts = {
  variable: 'MPESA_BASE_URL',
  name: 'Safaricom',
  production: /^api\.safaricom\.co\.ke$/,
  sandbox: /^sandbox\.safaricom\.co\.ke$/,
  example: 'https://api.safaricom.co.ke',
}
const mtnSandbox = /^sandbox\.momodeveloper\.mtn\.com$/
const mtnLegacy: Hosts = {
  variable: 'MTN_MOMO_BASE_URL',
  name: "MTN's platform of old",
  production: /^proxy\.momoapi\.mtn\.com$/,
  sandbox: mtnSandbox,
  example: 'https://proxy.momoapi.mtn.com',
}
const mtnNew: Hosts = {
  variable: 'MTN_MOMO_NEW_BASE_URL',
  name: "MTN's new platform",
  production: /^momoapi\.momo\.africa$/,
  sandbox: mtnSandbox,
  example: 'https://momoapi.momo.africa',
}
const airtel: Hosts = {
  variable: 'AIRTEL_BASE_URL',
  name: 'Airtel',
  production: /^openapi\.airtel\.[a-z.]+$/,
  sandbox: /^openapiuat\.airtel\.[a-z.]+$/,
  example: 'https://openapi.airtel.ug',
}
const mastercard: Hosts = {
  variable: 'CARD_BASE_URL',
  name: 'the card gateway',
  // The acquiring bank chooses the host, so any host but those for tests may be production.
  production: /^(?!mtf|test).*\.[a-z]+$/,
  sandbox: /^(?:mtf|test)[\w.-]*\.mastercard\.com$/,
  example: 'the host that the bank has named',
}
const providers = [safaricom, mtnLegacy, mtnNew, airtel, mastercard]

/** The short code and the published passkey of Daraja's sandbox, with which no real money moves. */
const sandboxShortcode = '174379'
const sandboxPasskey = 'bfb279f9aa9bdbcf158e97dd71a467cd2e0c893059b10f78e6b72ada1ed2c919'
/** The length of a password that was encrypted with a 2048-bit certificate. */
const encryptedBytes = 256
/**
 * Words that Daraja forbids in the addresses of C2B. CALLBACK_BASE_URL may have none of them, because those addresses
 * begin with it. The last three are public services that show the requests that they receive.
 */
const forbiddenWords = [
  ...['mpesa', 'm-pesa', 'safaricom', 'exe', 'cmd', 'sql', 'query'],
  ...['ngrok', 'mockbin', 'requestbin'],
]

/** Every problem in the environment of a process that calls providers. Settings for a simulator have none. */
export function settingProblems(environment: Environment): readonly SettingProblem[] {
  return [
    ...providers.flatMap((hosts) => hostProblems(environment, hosts)),
    ...mpesaProblems(environment),
    ...tillProblems(environment),
    ...mtnProblems(environment),
    ...mtnPairProblems(environment),
    ...airtelProblems(environment),
    ...cardProblems(environment),
    ...callbackProblems(environment),
  ]
}

function hostProblems(environment: Environment, hosts: Hosts): readonly SettingProblem[] {
  const { variable, name, production, sandbox, example } = hosts
  const url = urlOf(environment, variable)
  if (url === undefined) return []
  if (environment['KEY_MODE'] === 'live' && !production.test(url.hostname)) {
    const what = sandbox.test(url.hostname) ? `a sandbox of ${name}` : `no host of ${name}`
    return [{ variable, message: `is ${what}, and KEY_MODE is live: set ${example}` }]
  }
  // The name of a bank's card host is unknown, so with live keys every host counts as a provider's.
  if (!isProvider(url) && environment['KEY_MODE'] !== 'live') return []
  const problems: SettingProblem[] = []
  if (url.protocol !== 'https:') {
    problems.push({ variable, message: 'must be https: credentials and payments go there' })
  }
  if (url.pathname !== '/' && !isAirtelSimulation(url)) {
    problems.push({ variable, message: 'must be the host alone, without a path' })
  }
  return problems
}

function mpesaProblems(environment: Environment): readonly SettingProblem[] {
  if (!isAt(environment, safaricom, 'production')) return credentialProblems(environment)
  const problems: SettingProblem[] = []
  if (environment['MPESA_SHORTCODE'] === sandboxShortcode) {
    const message = "is the sandbox's: set the Pay Bill number that Safaricom gave to you"
    problems.push({ variable: 'MPESA_SHORTCODE', message })
  }
  if (environment['MPESA_PASSKEY'] === sandboxPasskey) {
    const message = "is the sandbox's: set the one that Safaricom sent when you went live"
    problems.push({ variable: 'MPESA_PASSKEY', message })
  }
  return [...problems, ...credentialProblems(environment)]
}

/** A till needs C2B_PATH_SECRET: without it the statement is not read, and no payment to a till finds its checkout. */
function tillProblems(environment: Environment): readonly SettingProblem[] {
  const { MPESA_TILL: till = '', C2B_PATH_SECRET: secret = '' } = environment
  if (till === '' || secret !== '') return []
  const message =
    "is needed for a till, whose payments are known by the statement alone: set the gateway's"
  return [{ variable: 'C2B_PATH_SECRET', message }]
}

function credentialProblems(environment: Environment): readonly SettingProblem[] {
  const url = urlOf(environment, safaricom.variable)
  const credential = environment['MPESA_SECURITY_CREDENTIAL'] ?? ''
  if (url === undefined || !isProvider(url) || credential === '') return []
  if (Buffer.from(credential, 'base64').length >= encryptedBytes) return []
  const message =
    "must be the operator's password, encrypted with Safaricom's certificate, in base64: this is too short for that; npm run operate -- provider encrypt makes it"
  return [{ variable: 'MPESA_SECURITY_CREDENTIAL', message }]
}

function mtnProblems(environment: Environment): readonly SettingProblem[] {
  const variable = 'MTN_MOMO_TARGET_ENVIRONMENT'
  const target = environment[variable]
  const problems: SettingProblem[] = []
  for (const [hosts, other] of [
    [mtnLegacy, mtnNew],
    [mtnNew, mtnLegacy],
  ] as const) {
    const url = urlOf(environment, hosts.variable)
    if (url !== undefined && other.production.test(url.hostname)) {
      const message =
        urlOf(environment, other.variable) === undefined
          ? `is ${other.name}, whose credentials are others: set ${other.variable}`
          : `is ${other.name}: set ${hosts.example}`
      problems.push({ variable: hosts.variable, message })
    }
  }
  const hosts = [mtnLegacy, mtnNew]
  if (target === 'sandbox' && hosts.some((of) => isAt(environment, of, 'production'))) {
    problems.push({ variable, message: 'is sandbox on a production host: set mtnuganda' })
  }
  if (target === 'mtnuganda' && hosts.some((of) => isAt(environment, of, 'sandbox'))) {
    problems.push({ variable, message: "is mtnuganda on MTN's sandbox: set sandbox" })
  }
  return problems
}

/** Settings that were copied from one platform of MTN to the other. */
function mtnPairProblems(environment: Environment): readonly SettingProblem[] {
  const problems: SettingProblem[] = []
  const [legacyUrl, newUrl] = [mtnLegacy, mtnNew].map(({ variable }) =>
    urlOf(environment, variable),
  )
  // MTN's own hosts are not compared: each is known to be of one platform.
  if (newUrl !== undefined && !isProvider(newUrl) && newUrl.href === legacyUrl?.href) {
    const message = `is that of ${mtnLegacy.variable} too, and a payment is asked about where it was made: set the host of the new platform`
    problems.push({ variable: mtnNew.variable, message })
  }
  const token = environment['MTN_MOMO_NEW_CREDENTIAL_TOKEN'] ?? ''
  if (token !== '' && token === environment['MTN_MOMO_API_KEY']) {
    const message =
      'is the API key of the old platform: create System Credentials in the partner portal and set their token'
    problems.push({ variable: 'MTN_MOMO_NEW_CREDENTIAL_TOKEN', message })
  }
  return problems
}

/** The endings of Airtel's hosts by country; hosts from before the countries had theirs end with `africa`. */
const airtelHosts: Readonly<Record<Country, string>> = { ke: 'co.ke', ug: 'ug' }

function airtelProblems(environment: Environment): readonly SettingProblem[] {
  const { variable } = airtel
  const url = urlOf(environment, variable)
  const country = environment['COUNTRY']?.toLowerCase() ?? ''
  const problems: SettingProblem[] = []
  if (url !== undefined && isCountry(country) && isProvider(url)) {
    const own = airtelHosts[country]
    const known = [own, 'africa'].flatMap((end) => [
      `openapi.airtel.${end}`,
      `openapiuat.airtel.${end}`,
    ])
    if (!known.includes(url.hostname)) {
      const message = `is no host of Airtel in this country: set https://openapi.airtel.${own}`
      problems.push({ variable, message })
    }
  }
  const key = environment['AIRTEL_CALLBACK_KEY'] ?? ''
  if (key !== '' && key === environment['AIRTEL_CLIENT_SECRET']) {
    const message =
      "is the client secret: copy the key of callback authentication from the application's settings in Airtel's portal"
    problems.push({ variable: 'AIRTEL_CALLBACK_KEY', message })
  }
  return problems
}

/** Airtel's sandbox only simulates payments below this path. */
function isAirtelSimulation({ hostname, pathname }: URL): boolean {
  return airtel.sandbox.test(hostname) && /^\/simulate\/?$/.test(pathname)
}

function cardProblems(environment: Environment): readonly SettingProblem[] {
  const variable = 'CARD_MERCHANT_ID'
  const isTest = environment[variable]?.startsWith('TEST') === true
  if (environment['KEY_MODE'] !== 'live' || !isTest) return []
  return [{ variable, message: 'is a merchant for tests, and KEY_MODE is live: set the real one' }]
}

function callbackProblems(environment: Environment): readonly SettingProblem[] {
  const variable = 'CALLBACK_BASE_URL'
  const url = urlOf(environment, variable)
  if (url === undefined) return []
  const problems: SettingProblem[] = []
  const isReal = providers.some((hosts) => {
    const provider = urlOf(environment, hosts.variable)
    return provider !== undefined && isProvider(provider)
  })
  if (isReal && url.protocol !== 'https:') {
    problems.push({ variable, message: 'must be https: providers call back on nothing else' })
  }
  if (isReal && isPrivate(url.hostname)) {
    problems.push({
      variable,
      message: 'is an address that no provider can reach: set a public host',
    })
  }
  const word = forbiddenWords.find((forbidden) => url.href.toLowerCase().includes(forbidden))
  if (word !== undefined && urlOf(environment, safaricom.variable) !== undefined) {
    const message = `has the word ${word}, for which Daraja refuses an address: choose another name`
    problems.push({ variable, message })
  }
  return problems
}

function urlOf(environment: Environment, variable: string): URL | undefined {
  const text = environment[variable] ?? ''
  return URL.canParse(text) ? new URL(text) : undefined
}

function isAt(environment: Environment, hosts: Hosts, kind: 'production' | 'sandbox'): boolean {
  const url = urlOf(environment, hosts.variable)
  return url !== undefined && hosts[kind].test(url.hostname)
}

/** A host of a provider itself, and not of a simulator. */
function isProvider({ hostname }: URL): boolean {
  return /(?:^|\.)(?:safaricom\.co\.ke|mtn\.com|momo\.africa|airtel\.[a-z.]+|mastercard\.com)$/.test(
    hostname,
  )
}

function isPrivate(hostname: string): boolean {
  return /^(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[)/.test(hostname)
}
