import { upstreamsOfFile } from '../upstreams.harness'
import { authOfFile, type SignedInBrowser } from '../start.harness'

const ledger = upstreamsOfFile()
const { auth, database } = authOfFile(ledger)
let owner: SignedInBrowser
let shops = 0

beforeEach(async () => {
  owner = await auth.signedIn(`hooks-${String((shops += 1))}`, { pin: '9274' })
})

const url = 'https://shop.example/webhooks'

async function read(endpointId: string) {
  const { endpoint } = await auth.rpc.readWebhookEndpoint({ endpointId })
  return endpoint && { url: endpoint.url, secrets: endpoint.secrets.map(textOf) }
}

const textOf = (secret: Buffer) => `whsec_${secret.toString('base64')}`

test('returns the URL and the secret that the owner was shown, which no database row contains in clear', async () => {
  const { body } = await owner.post('/webhooks', { pin: '9274', url })
  const { endpoint_id: endpointId, secret } = body.data as { endpoint_id: string; secret: string }
  expect(await read(endpointId)).toEqual({ url, secrets: [secret] })
  const { rows } = await database.pool.query<{ hex: string }>(
    "SELECT encode(sealed_secret, 'hex') AS hex FROM webhook_endpoints",
  )
  const plain = Buffer.from(secret.slice('whsec_'.length), 'base64')
  expect(rows[0]?.hex).not.toContain(plain.toString('hex'))
})

test('returns two secrets for a day after a rotation, and then only the new one', async () => {
  const added = (await owner.post('/webhooks', { pin: '9274', url })).body.data
  const path = `/webhooks/${String(added.endpoint_id)}/rotate`
  expect((await owner.post(path, { pin: '0000' })).body.code).toBe(3002)
  const rotated = (await owner.post(path, { pin: '9274' })).body.data
  expect((await read(added.endpoint_id))?.secrets).toEqual([rotated.secret, added.secret])
  expect((await owner.actions())[0]).toBe('webhook_secret_rotated')
  await database.pool.query(
    "UPDATE webhook_endpoints SET previous_until = previous_until - interval '24 hours'",
  )
  expect((await read(added.endpoint_id))?.secrets).toEqual([rotated.secret])
})

test('lets all earlier secrets sign until a day after the last rotation, and refuses a fifth rotation in a day', async () => {
  const added = (await owner.post('/webhooks', { pin: '9274', url })).body.data
  const rotate = () => owner.post(`/webhooks/${String(added.endpoint_id)}/rotate`, { pin: '9274' })
  const atOnce = await Promise.all([rotate(), rotate()])
  const all = [added, ...atOnce.map(({ body }) => body.data)]
  all.push((await rotate()).body.data, (await rotate()).body.data)
  const newest = String(all.at(-1).secret)
  const { secrets } = (await read(added.endpoint_id)) ?? {}
  expect(secrets?.sort()).toEqual(all.map(({ secret }) => String(secret)).sort())
  const { status, body } = await rotate()
  expect([status, body.description]).toEqual([400, expect.stringContaining('wait a day')])
  await database.pool.query(
    "UPDATE webhook_endpoints SET previous_until = previous_until - interval '24 hours'",
  )
  expect((await read(added.endpoint_id))?.secrets).toEqual([newest])
  const rotated = (await rotate()).body.data.secret
  expect((await read(added.endpoint_id))?.secrets).toEqual([rotated, newest])
})

test.each([
  ['rotate', 'webhook_secret_rotated'],
  ['remove', 'webhook_removed'],
])(
  'returns 500 and does not %s an endpoint whose audit event cannot be written',
  async (what, action) => {
    const added = (await owner.post('/webhooks', { pin: '9274', url })).body.data
    const refused = `${action}_${owner.accountId}`
    await database.pool.query(
      `ALTER TABLE audit_events ADD CONSTRAINT ${refused} CHECK (action <> '${action}') NOT VALID`,
    )
    const path = `/webhooks/${String(added.endpoint_id)}/${what}`
    const { status } = await owner.post(path, what === 'rotate' ? { pin: '9274' } : undefined)
    await database.pool.query(`ALTER TABLE audit_events DROP CONSTRAINT ${refused}`)
    expect([status, await read(added.endpoint_id)]).toEqual([500, { url, secrets: [added.secret] }])
  },
)

test('returns nothing for a removed or unknown endpoint', async () => {
  const added = (await owner.post('/webhooks', { pin: '9274', url })).body.data
  await owner.post(`/webhooks/${String(added.endpoint_id)}/remove`)
  expect(await read(added.endpoint_id)).toBeUndefined()
  expect(await read('we_none')).toBeUndefined()
})
