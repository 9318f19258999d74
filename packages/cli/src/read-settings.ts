import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Malipo } from '@malipo/sdk'
import { jsonOf } from './call'
import { CommandError } from './exit-codes'

const names = ['MALIPO_KEY', 'MALIPO_URL', 'MALIPO_SIMULATOR_URL', 'MALIPO_WEBHOOK_SECRET'] as const

type SettingName = (typeof names)[number]

export type Settings = Readonly<Partial<Record<SettingName, string>>>

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly homeDir: string
}

/** The path of the settings file, which the developer writes and this program only reads. */
export function configFile({ env, homeDir }: Surroundings): string {
  return join(filled(env['XDG_CONFIG_HOME']) ?? join(homeDir, '.config'), 'malipo/config.json')
}

/** The trimmed text; undefined for an empty one, because an empty variable counts as not set. */
function filled(text: string | undefined): string | undefined {
  return text?.trim() === '' ? undefined : text?.trim()
}

/** Reads each setting from the environment, else from the file. Throws CommandError for an unsafe or malformed file. */
export function readSettings(surroundings: Surroundings): Settings {
  const kept = readFile(configFile(surroundings))
  const found = names.flatMap((name) => {
    const text = filled(surroundings.env[name]) ?? filled(kept[name])
    return text === undefined ? [] : [[name, text] as const]
  })
  return Object.fromEntries(found)
}

function readFile(file: string): Settings {
  if (!existsSync(file)) return {}
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
    throw new CommandError(`Other users can read ${file}, which may hold a key. chmod 600 ${file}`)
  }
  const kept = jsonOf(readFileSync(file, 'utf8'))
  const isSound =
    typeof kept === 'object' &&
    kept !== null &&
    Object.entries(kept).every(
      ([name, value]) => names.some((known) => known === name) && typeof value === 'string',
    )
  if (isSound) return kept
  throw new CommandError(
    `${file} must be a JSON object of texts with the names ${names.join(', ')}`,
  )
}

/** What is wrong with the key and what to do; undefined when it can be sent. */
export function keyProblem({ MALIPO_KEY: key }: Settings): string | undefined {
  if (key === undefined) {
    return 'MALIPO_KEY is not set. Create a key in the hub (API Integrations, Keys), then: export MALIPO_KEY=mkp_test_…'
  }
  if (/^mkp_(test|live)_[A-Z2-7]{52}$/.test(key)) return undefined
  return 'MALIPO_KEY is not a secret key: mkp_test_ or mkp_live_, then 52 characters of A-Z and 2-7. Copy it again, or create a new one in the hub.'
}

/** What is wrong with the address of the payments host and what to do; undefined when the key can be sent there. */
export function urlProblem({ MALIPO_URL: url }: Settings): string | undefined {
  if (url === undefined) {
    return 'MALIPO_URL is not set. It is the payments host of your country: export MALIPO_URL=https://payments.example'
  }
  const parsed = webUrl(url)
  if (parsed === undefined) return 'MALIPO_URL must be a URL, such as https://payments.example'
  if (parsed.protocol === 'https:' || isLoopback(parsed)) return undefined
  return 'MALIPO_URL must begin with https://, because http shows the key to the network. Only this machine may be called by http.'
}

export function webUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && ['http:', 'https:'].includes(url.protocol) ? url : undefined
}

export function isLoopback({ hostname }: URL): boolean {
  return ['localhost', '[::1]'].includes(hostname) || /^127(\.\d+){3}$/.test(hostname)
}

/** The origin of the payments host. Throws CommandError. */
export function hostOf(settings: Settings): string {
  return new URL(required(settings.MALIPO_URL, urlProblem(settings))).origin
}

/** Throws CommandError when key or address cannot be used. */
export function openMalipo(settings: Settings): Malipo {
  const secretKey = required(settings.MALIPO_KEY, keyProblem(settings))
  return new Malipo({ secretKey, baseUrl: hostOf(settings) })
}

/** The origin of the simulator. Throws CommandError. */
export function simulatorOf({ MALIPO_SIMULATOR_URL: text = '' }: Settings): string {
  const url = webUrl(text)
  if (url !== undefined) return url.origin
  throw new CommandError(
    'MALIPO_SIMULATOR_URL must be the address of the simulator, which npm start prints as "Phones (simulator)"',
  )
}

function required(value: string | undefined, problem: string | undefined): string {
  if (value === undefined || problem !== undefined) throw new CommandError(problem ?? '')
  return value
}
