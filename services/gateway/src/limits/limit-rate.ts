import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { Fault } from '@malipo/kernel/errors'
import type { Answer } from '@malipo/runtime/answer'
import { addressGroup, type ClientAddress } from '@malipo/runtime/client-address'
import type { Clock } from '@malipo/runtime/clock'
import { openLocalWindows, type RatePolicy, type Standing } from '@malipo/runtime/local-windows'
import { notableEvents } from '@malipo/runtime/metrics'
import { presentFault } from '@malipo/runtime/present-fault'
import { noteSubject } from '@malipo/runtime/telemetry'
import type { Redis } from 'ioredis'

const script = readFileSync(join(__dirname, 'limit-rate.lua'), 'utf8')

/**
 * Counts one request of a subject, and reports its budget in the answer (`RateLimit-Policy` and `RateLimit` of the
 * IETF draft). Fault: rate_limited, with `retry_after_seconds` and the name of the policy.
 */
export type LimitRate = (
  response: ServerResponse,
  policy: RatePolicy,
  subject: string,
) => Promise<GiveBack>

/** Takes the request out of the count again, as long as `givenBackTimes` allows. */
export type GiveBack = () => Promise<void>

/** How many times its limit a subject gets back in one window: without a bound, overload would lift the limit. */
const givenBackTimes = 20

/** Counts one request of the address that it comes from. Fault: rate_limited. */
export type LimitAddress = (
  request: IncomingMessage,
  response: ServerResponse,
  policy: RatePolicy,
) => Promise<GiveBack>

export interface LimitRateOptions {
  readonly redis: Redis
  /** Separates countries and stacks that share one Redis. */
  readonly prefix: string
  readonly clock: Clock
}

interface RateCommand {
  limitRate(
    key: string,
    limit: number,
    windowMs: number,
    name: string,
  ): Promise<[allowed: number, remaining: number, waitMs: number]>
}

/** The command that counts in one window of Redis. It is sent by its digest, so that Redis reads the text only once. */
export function defineLimitRate(redis: Redis): Redis & RateCommand {
  redis.defineCommand('limitRate', { numberOfKeys: 1, lua: script })
  return redis as Redis & RateCommand
}

export function openLimitRate({ redis, prefix, clock }: LimitRateOptions): LimitRate {
  const countLocally = openLocalWindows(clock)
  const limited = defineLimitRate(redis)
  // A request is named by this and a number, because a random name for each would cost more than the counting.
  const processName = randomBytes(9).toString('base64')
  let requests = 0
  const count = async (policy: RatePolicy, subject: string): Promise<Standing> => {
    const windowMs = policy.windowSeconds * 1_000
    const name = `${processName}${String((requests += 1))}`
    const key = `${prefix}:limit:${policy.name}:${subject}`
    const [allowed, remaining, waitMs] = await limited.limitRate(key, policy.limit, windowMs, name)
    // While Redis is away the request stays counted, and its subject may send one less in this window.
    const giveBack = () => redis.zrem(key, name).catch(() => undefined)
    return { isAllowed: allowed === 1, remaining, waitMs, giveBack }
  }
  const countAnyway = (policy: RatePolicy, subject: string) =>
    count(policy, subject).catch(() => {
      notableEvents.inc({ name: 'limit_counted_locally' })
      return countLocally(policy, subject)
    })
  return async (response, policy, subject) => {
    const standing = await countAnyway(policy, subject)
    const waitSeconds = Math.max(1, Math.ceil(standing.waitMs / 1_000))
    const { name, limit, windowSeconds } = policy
    response.setHeader(
      'RateLimit-Policy',
      `"${name}";q=${String(limit)};w=${String(windowSeconds)}`,
    )
    const report = (remaining: number) =>
      response.setHeader('RateLimit', `"${name}";r=${String(remaining)};t=${String(waitSeconds)}`)
    report(standing.remaining)
    const giveBack = async () => {
      const ofGivenBack = { name: `${name}_back`, limit: givenBackTimes * limit, windowSeconds }
      if (!(await countAnyway(ofGivenBack, subject)).isAllowed) return
      await standing.giveBack()
      report(standing.remaining + 1)
    }
    if (standing.isAllowed) return giveBack
    notableEvents.inc({ name: `rate_limited_${name}` })
    noteSubject({ limited: subject })
    throw new Fault('rate_limited', { retry_after_seconds: waitSeconds, policy: name })
  }
}

/** The limits of this host, and how it reads the address that a request comes from. */
export function openLimits({
  clientAddress,
  ...options
}: LimitRateOptions & { readonly clientAddress: ClientAddress }) {
  const limitRate = openLimitRate(options)
  const limitAddress: LimitAddress = (request, response, policy) =>
    limitRate(response, policy, addressGroup(clientAddress(request)))
  return { clientAddress, limitRate, limitAddress }
}

/** Presents a fault. The refusal of a limit by phone or checkout has no budget: it would be that of the address. */
export function presentLimited(fault: Fault, requestId: string, response: ServerResponse): Answer {
  if (fault.reason === 'rate_limited' && fault.facts['policy'] === undefined) {
    response.removeHeader('RateLimit-Policy')
    response.removeHeader('RateLimit')
  }
  return presentFault(fault, requestId)
}
