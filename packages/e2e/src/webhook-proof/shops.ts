import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import type { Cell } from '@malipo/kernel/cells'
import { placeOf } from '@malipo/stack/cells/place-of'
import { readSecrets } from '@malipo/stack/secrets'
import { openSeeder } from '@malipo/stack/seed'
import { openProgress } from '@malipo/testing/command'
import {
  openReceiver,
  type Received,
  type Receiver,
  verified,
} from '@malipo/testing/webhook-receiver'
import { z } from 'zod'
import { ask } from '../http'
import { type Merchant, openMerchant } from '../merchant'
import type { RunningStack } from '../running-stack'
import type { Deliveries } from './deliveries'

/** A merchant with a server that webhooks go to. */
export interface Shop {
  readonly merchant: Merchant
  readonly receiver: Receiver
}

const eventSchema = z.object({
  type: z.string(),
  timestamp: z.iso.datetime(),
  data: z.object({ id: z.string() }),
})

/** Makes merchants of Kenya, and adds an address of each in the hub. What arrives there is verified and counted. */
export async function openShops(
  stack: RunningStack,
  count: number,
  deliveries: Deliveries,
): Promise<Shop[]> {
  const { pinProofPrivateKey } = readSecrets(stack.dir)
  const addressOf = (server: string, cell: Cell) =>
    stack.file.processes[placeOf(server, cell)]?.address ?? ''
  const seeder = openSeeder({ dir: stack.dir, addressOf, pinProofPrivateKey })
  const show = openProgress('merchants made', count)
  const shops: Shop[] = []
  while (shops.length < count) {
    const username = `shop-${String(shops.length)}`
    const owner = { pin: '483920', password: randomBytes(12).toString('hex') }
    const made = await seeder.make(
      { country: 'ke', username, displayName: username, bio: '', theme: 'dark', card: false },
      { requestId: randomUUID(), ...owner },
    )
    const receiver = await openReceiver()
    const auth = stack.file.hosts.ke.auth_url
    const secret = await addAddress(auth, { ...owner, username, url: receiver.url })
    receiver.answers((request) => {
      note(deliveries, secret, request)
      return { status: 204 }
    })
    shops.push({ merchant: openMerchant({ ...stack.file, merchants: [made] }), receiver })
    show(shops.length)
  }
  seeder.close()
  return shops
}

function note(deliveries: Deliveries, secret: string, request: Received): void {
  try {
    const { type, timestamp, data } = eventSchema.parse(verified(secret, request))
    const afterMs = Date.now() - Date.parse(timestamp)
    const id = String(request.headers['webhook-id'])
    deliveries.received({ id, type, checkoutId: data.id, afterMs })
  } catch {
    deliveries.refused()
  }
}

interface Added {
  readonly data: { readonly csrf_token: string; readonly secret: string }
}

/** Adds an address as the owner does in the hub: signs in, and confirms it by the PIN. Returns the signing secret. */
export async function addAddress(
  authUrl: string,
  own: { username: string; password: string; pin: string; url: string },
): Promise<string> {
  const { username, password, pin, url } = own
  const headers = {
    origin: authUrl,
    'content-type': 'application/json',
    // Sign-ins are limited by address.
    'x-forwarded-for': `10.${[1, 2, 3].map(() => randomInt(1, 255)).join('.')}`,
  }
  const signedIn = await fetch(`${authUrl}/v1/hub/sign-in`, {
    ...{ method: 'POST', headers, body: JSON.stringify({ username, password }) },
  })
  const cookie = signedIn.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ')
  const { data } = (await signedIn.json()) as Added
  const added = await ask<Added>(`${authUrl}/v1/hub/webhooks`, {
    method: 'POST',
    headers: { ...headers, cookie, 'x-csrf-token': data.csrf_token },
    body: { pin, url },
  })
  if (added.status !== 201) throw new Error(`The hub refused the address: ${JSON.stringify(added)}`)
  return added.body.data.secret
}
