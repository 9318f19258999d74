import { rmSync } from 'node:fs'
import { writePrivateFile } from '../private-file'
import type { StackFile } from '../stack-file'

export type Settings = Readonly<Record<string, string>>

/** What a shop, its tests and `malipo` read from their environment. `returnUrl` is the https address by which payers come back to it. */
export function settingsOf(file: StackFile, returnUrl: string | undefined): Settings {
  const keyOf = (wanted: 'ke' | 'ug') =>
    file.merchants.find(({ country }) => country === wanted)?.secret_key ?? ''
  return {
    MALIPO_URL: file.hosts.ke.base_url,
    MALIPO_KEY: keyOf('ke'),
    MALIPO_SIMULATOR_URL: file.simulator.url,
    MALIPO_HUB_URL: `${file.hosts.ke.auth_url}/hub`,
    MALIPO_UG_URL: file.hosts.ug.base_url,
    MALIPO_UG_KEY: keyOf('ug'),
    ...(returnUrl !== undefined && { RETURN_URL: returnUrl }),
  }
}

/** Writes the settings as an env file, whole or not at all, for `node --env-file` and shells. */
export function writeReadyFile(path: string, settings: Settings): void {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  writePrivateFile(path, lines.join(''))
}

export function removeReadyFile(path: string): void {
  rmSync(path, { force: true })
}
