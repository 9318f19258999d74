import { ofTest } from '@malipo/testing/lazily'
import { startSimulator } from '../../start.harness'
import { recorded } from '../recorded.harness'
import { fatuma, from, mtnClient, referenceId } from './mtn-momo.harness'

const sim = ofTest(() => startSimulator())
const mtn = mtnClient(sim)

test('a request goes from created to pending, as recorded', async () => {
  await mtn.pay()
  expect(await mtn.status()).toMatchObject(recorded('mtn-momo', 'status-answer-created'))
  await sim.jump(500)
  const { body } = await mtn.status()
  expect(body).toEqual(recorded('mtn-momo', 'status-answer-pending').body)
})

test('a reference that MTN never saw is not found, as recorded', async () => {
  expect(await mtn.status()).toMatchObject(recorded('mtn-momo', 'status-error-not-found'))
})

test('the reason of a failed payment comes as a word at times, and as an object at others', async () => {
  const forms = new Set<string>()
  for (let count = 0; count < 12; count += 1) {
    const reference = `${String(count).padStart(8, '0')}-0000-4000-8000-000000000000`
    await mtn.pay({ ...from('46733123451'), headers: { 'x-reference-id': reference } })
    await sim.jump(1_000)
    forms.add(typeof (await mtn.status(reference)).body.reason)
  }
  expect(forms).toEqual(new Set(['string', 'object']))
})

test('the eleventh call in a second is refused as recorded, and the next second begins anew', async () => {
  await mtn.pay()
  for (let call = 0; call < 10; call += 1) expect((await mtn.status()).status).toBe(200)
  expect(await mtn.status()).toMatchObject(recorded('mtn-momo', 'any-error-too-many-requests'))
  await sim.jump(1_000)
  expect((await mtn.status()).status).toBe(200)
})

test.each([
  ['APPROVAL_REJECTED', 'FAILED'],
  ['PENDING', 'PENDING'],
  ['SUCCESSFUL', 'SUCCESSFUL'],
])('a rule can make a status answer falsely with %s, without a receipt', async (code, status) => {
  await sim.control('POST', '/rules', { on: 'query', effect: { kind: 'lie', code }, times: 1 })
  await mtn.pay()
  const { body: lie } = await mtn.status()
  expect(lie.status).toBe(status)
  expect(lie).not.toHaveProperty('financialTransactionId')
  expect((await mtn.status()).body.status).toBe('CREATED')
})

test('rules can answer a status query with 404, and with 503', async () => {
  await mtn.pay()
  await sim.control('POST', '/rules', {
    on: 'query',
    effect: { kind: 'lie', code: 'gone' },
    times: 1,
  })
  expect((await mtn.status()).status).toBe(404)
  const effect = { kind: 'error', error: 'service_unavailable' }
  await sim.control('POST', '/rules', { on: 'query', when: { msisdn: fatuma }, effect, times: 1 })
  expect(await mtn.status()).toMatchObject(recorded('mtn-momo', 'any-error-service-unavailable'))
})

test('a successful payment of the magic number 025 is not found by any status query', async () => {
  await mtn.pay(from('256770555025'))
  await sim.jump(500)
  await sim.jump(2_000)
  expect((await sim.control('GET', '/book')).body).toHaveLength(1)
  for (let queries = 0; queries < 5; queries += 1) {
    expect(await mtn.status()).toMatchObject(recorded('mtn-momo', 'status-error-not-found'))
  }
})

test('the reference may be written in capitals', async () => {
  await mtn.pay({ headers: { 'x-reference-id': referenceId.toUpperCase() } })
  expect((await mtn.status()).status).toBe(200)
})
