import { MalipoError } from '@malipo/sdk'
import { call } from './call'
import { type Check, orReason, right, skipped, wrong } from './check'
import { checkHost } from './check-host'
import { checkWebhook } from './check-webhook'
import { maskSecrets } from './mask-secrets'
import { hostOf, keyProblem, openMalipo, type Settings, urlProblem, webUrl } from './read-settings'

export interface DiagnosisOptions {
  readonly signal: AbortSignal
  /** The URL of the developer's webhook endpoint, given with `--webhook`. */
  readonly webhook: string | undefined
}

/**
 * Yields the checks in the order in which a failed one explains later failures. Throws only the aborted signal's
 * reason.
 */
export async function* diagnose(
  settings: Settings,
  { signal, webhook }: DiagnosisOptions,
): AsyncGenerator<Check> {
  const key = checkKey(settings)
  yield key
  const address = checkAddress(settings)
  yield address
  if (address.outcome === 'right') {
    const host = await checkHost(hostOf(settings), signal)
    yield* host.checks
    if (host.isMalipo && key.outcome === 'right') yield await checkAccepted(settings, signal)
  }
  yield await checkSimulator(settings, signal)
  if (webhook !== undefined) yield await checkWebhook(webhook, settings, signal)
}

function checkKey(settings: Settings): Check {
  const problem = keyProblem(settings)
  if (problem !== undefined) return wrong('key', problem)
  const key = settings.MALIPO_KEY ?? ''
  const kind = key.startsWith('mkp_live_') ? 'live key, which moves real money' : 'test key'
  return right('key', `${kind}: ${maskSecrets(key)}`)
}

function checkAddress(settings: Settings): Check {
  const problem = urlProblem(settings)
  return problem === undefined ? right('address', hostOf(settings)) : wrong('address', problem)
}

/** Reads a checkout that cannot exist. A host that accepts the key answers 2783 (unknown checkout). */
async function checkAccepted(settings: Settings, signal: AbortSignal): Promise<Check> {
  const read = openMalipo(settings)
    .checkouts.retrieve(`cs_ke_${'0'.repeat(24)}`, { signal })
    .catch((error: unknown) => {
      if (error instanceof MalipoError) return error
      throw error
    })
  const result = await orReason(read, signal)
  if ('reason' in result) return wrong('accepted', result.reason.what, result.reason.advice)
  const { value } = result
  if (!(value instanceof MalipoError) || value.code === 2783) {
    return right('accepted', 'the host takes the key')
  }
  const advice =
    value.code === 2781
      ? 'Create or replace the key in the hub of this host: malipo open hub. A refused key may stay refused for a minute.'
      : 'Try again in a minute.'
  return wrong('accepted', value.message, advice)
}

async function checkSimulator(settings: Settings, signal: AbortSignal): Promise<Check> {
  const name = 'simulator'
  const text = settings.MALIPO_SIMULATOR_URL
  if (text === undefined) return skipped(name, 'MALIPO_SIMULATOR_URL is not set: no test phones')
  const advice = 'npm start prints the address as "Phones (simulator)".'
  const url = webUrl(text)
  if (url === undefined) return wrong(name, 'MALIPO_SIMULATOR_URL is no http address', advice)
  const result = await orReason(call({ url: `${url.origin}/sim/v1/meta`, signal }), signal)
  if ('reason' in result) return wrong(name, result.reason.what, result.reason.advice)
  return result.value.text.includes('"simulator":true')
    ? right(name, url.origin)
    : wrong(name, 'what answers is no simulator', advice)
}
