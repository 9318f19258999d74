import { randomBytes } from 'node:crypto'
import { refuseField } from '@malipo/interface/validate'
import { Fault } from '@malipo/kernel/errors'
import type { Caller } from '../../audit/rules/audit'
import { recordEvent } from '../../audit/store/audit-log'
import type { Database } from '../../database/database'
import type { WebhookSecrets } from './webhook-secrets'

const endpointsMax = 5

/** How long all earlier secrets still sign after a rotation. */
const rotationHours = 24

/** The most earlier secrets that sign, so that a signature header stays short. */
const earlierMax = 4

interface OwnEndpoint {
  readonly accountId: string
  readonly endpointId: string
  readonly url: string
}

export interface WebhookEndpoint {
  readonly endpointId: string
  readonly url: string
  readonly createdAt: Date
  readonly previousUntil: Date | null
}

/** Stores an endpoint, and returns its id. Fault: invalid_request (too many, or this address again). */
export async function addEndpoint(
  db: Database,
  secrets: WebhookSecrets,
  made: {
    readonly accountId: string
    readonly url: string
    readonly secret: Buffer
    readonly caller: Caller
  },
): Promise<string> {
  const { accountId, url, secret, caller } = made
  const endpointId = `we_${randomBytes(12).toString('hex')}`
  const sealedSecret = secrets.seal(endpointId, secret)
  await db.$transaction(async (tx) => {
    // Locks the account, so that no parallel call adds an endpoint after the endpoints are counted.
    await tx.$queryRaw`SELECT 1 FROM accounts WHERE account_id = ${accountId} FOR UPDATE`
    const known = await tx.webhookEndpoint.findMany({ where: { accountId }, select: { url: true } })
    // An owner whose answer was lost may add the address again, and each event would then come twice. Earlier releases
    // stored an address as it was typed, so it is normalised before it is compared.
    if (known.some((one) => new URL(one.url).href === url)) {
      refuseField('url', 'is added already: rotate its secret to get one')
    }
    if (known.length >= endpointsMax) {
      const most = String(endpointsMax)
      refuseField('url', `an account has at most ${most} endpoints: remove one first`)
    }
    await tx.webhookEndpoint.create({
      data: { endpointId, accountId, url, sealedSecret },
      select: { endpointId: true },
    })
    await recordEvent(tx, { accountId, action: 'webhook_added', subject: hostOf(url), caller })
  })
  return endpointId
}

/** Only the host goes to the audit log, as much of it as a subject has room for: a path may contain a secret. */
export const hostOf = (url: string): string => new URL(url).host.slice(0, 64)

export async function removeEndpoint(
  db: Database,
  { accountId, endpointId, url }: OwnEndpoint,
  caller: Caller,
): Promise<void> {
  await db.$transaction(async (tx) => {
    const { count } = await tx.webhookEndpoint.deleteMany({ where: { endpointId } })
    if (count === 0) return
    await recordEvent(tx, { accountId, action: 'webhook_removed', subject: hostOf(url), caller })
  })
}

export async function listEndpoints(db: Database, accountId: string): Promise<WebhookEndpoint[]> {
  return db.$queryRaw<WebhookEndpoint[]>`
    SELECT endpoint_id AS "endpointId", url, created_at AS "createdAt",
      CASE WHEN previous_until > (SELECT clock_timestamp()) THEN previous_until END AS "previousUntil"
    FROM webhook_endpoints WHERE account_id = ${accountId} ORDER BY created_at`
}

/** An endpoint of this account. Fault: invalid_request (none with this id). */
export async function requireEndpoint(
  db: Database,
  accountId: string,
  endpointId: string,
): Promise<OwnEndpoint> {
  const where = { accountId, endpointId }
  const row = await db.webhookEndpoint.findFirst({ where, select: { url: true } })
  if (row === null) {
    return refuseField('id', 'must be an endpoint of this account')
  }
  return { accountId, endpointId, url: row.url }
}

/**
 * Stores a new secret. All secrets that signed until now go on signing for a day. The merchant's server may have any of
 * them, because an answer with a new secret can be lost, and two people may rotate. Fault: invalid_request (too many
 * rotations).
 */
export async function rotateSecret(
  db: Database,
  secrets: WebhookSecrets,
  rotated: OwnEndpoint & { readonly secret: Buffer; readonly caller: Caller },
): Promise<void> {
  const { accountId, endpointId, url, caller } = rotated
  const sealed = secrets.seal(endpointId, rotated.secret)
  await db.$transaction(async (tx) => {
    const count = await tx.$executeRaw`
      UPDATE webhook_endpoints SET previous_secret = sealed_secret, sealed_secret = ${sealed},
        earlier_secrets = CASE WHEN previous_until > (SELECT clock_timestamp())
          THEN array_prepend(previous_secret, earlier_secrets) ELSE '{}' END,
        previous_until = clock_timestamp() + make_interval(hours => ${rotationHours}::int)
      WHERE endpoint_id = ${endpointId}
        AND (previous_until > (SELECT clock_timestamp()) AND cardinality(earlier_secrets) + 1 >= ${earlierMax}::int) IS NOT TRUE`
    if (count === 0) throw new Fault('invalid_request', {}, undefined, { description: tooMany })
    const subject = hostOf(url)
    await recordEvent(tx, { accountId, action: 'webhook_secret_rotated', subject, caller })
  })
}

const tooMany = `The secret was rotated ${String(earlierMax)} times, and all of them sign: wait a day, or remove the address and add it again`

/** The URL of an endpoint and the secrets that sign, newest first; undefined when there is none. */
export async function findSigning(
  db: Database,
  secrets: WebhookSecrets,
  endpointId: string,
): Promise<{ readonly url: string; readonly secrets: Buffer[] } | undefined> {
  const rows = await db.$queryRaw<{ url: string; sealed: Uint8Array }[]>`
    SELECT url, unnest(array_prepend(sealed_secret, CASE WHEN previous_until > (SELECT clock_timestamp())
      THEN array_prepend(previous_secret, earlier_secrets) ELSE '{}' END)) AS sealed
    FROM webhook_endpoints WHERE endpoint_id = ${endpointId}`
  const [row] = rows
  return (
    row && { url: row.url, secrets: rows.map(({ sealed }) => secrets.open(endpointId, sealed)) }
  )
}
