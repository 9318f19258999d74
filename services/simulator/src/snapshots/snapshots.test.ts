import { ofTest } from '@malipo/testing/lazily'
import { amina, brian, startSimulator } from '../start.harness'

const sim = ofTest(() => startSimulator())

const phone = async (msisdn: string) => (await sim.control('GET', `/phones/${msisdn}`)).body

test('a restore brings back phones, balances, messages and rules with their counts', async () => {
  const cancel = { kind: 'answer', answer: 'cancel' }
  await sim.control('POST', '/rules', { on: 'prompt', effect: cancel, times: 1 })
  const { body: kept, status } = await sim.control('POST', '/snapshots', { name: 'before' })
  expect({ status, kept }).toMatchObject({
    status: 201,
    kept: { id: 'snap_1', name: 'before', phones: 13, rules: 1 },
  })
  const before = await phone(brian)

  await sim.push({ PartyA: brian, PhoneNumber: brian })
  await sim.jump(0)
  await sim.control('POST', '/phones', { msisdn: '254711000001' })
  await sim.control('PATCH', `/phones/${brian}`, { balance: '1', sim_state: 'off', name: 'B' })
  await sim.control('POST', '/packs/happy-path', {})

  expect((await sim.control('POST', '/snapshots/snap_1/restore')).status).toBe(200)
  expect(await phone(brian)).toEqual(before)
  expect((await sim.control('GET', '/phones/254711000001')).status).toBe(404)
  expect((await sim.control('GET', '/rules')).body).toMatchObject([{ id: 'rule_1', applied: 0 }])
})

test('a rule made after a restored one has another id', async () => {
  const rule = { on: 'push', effect: { kind: 'early' } }
  await sim.control('POST', '/rules', rule)
  await sim.control('POST', '/snapshots', {})
  await sim.control('POST', '/reset', {})
  await sim.control('POST', '/snapshots/snap_1/restore')
  expect((await sim.control('POST', '/rules', rule)).body.id).toBe('rule_2')
})

test('a restore continues the book and the ids, so no receipt repeats', async () => {
  await sim.control('POST', '/snapshots', {})
  const pay = async () => {
    await sim.push()
    await sim.control('POST', `/phones/${amina}/prompt`, { action: 'approve' })
    await sim.jump(120_000)
  }
  await pay()
  await sim.control('POST', '/snapshots/snap_1/restore')
  expect((await phone(amina)).balance).toBe('5000000')
  await pay()
  const rows: { receipt: string }[] = (await sim.control('GET', '/book')).body
  expect(new Set(rows.map(({ receipt }) => receipt)).size).toBe(2)
})

test('a restore keeps an open prompt open', async () => {
  await sim.control('POST', '/snapshots', {})
  await sim.push()
  await sim.control('POST', '/snapshots/snap_1/restore')
  expect((await phone(amina)).prompt).not.toBeNull()
})

test('a restore keeps a phone with an open prompt that the snapshot lacks, and lets it be answered', async () => {
  const msisdn = '254711000001'
  await sim.control('POST', '/snapshots', {})
  await sim.control('POST', '/phones', { msisdn })
  await sim.push({ PartyA: msisdn, PhoneNumber: msisdn })
  await sim.control('POST', '/snapshots/snap_1/restore')
  const answer = await sim.control('POST', `/phones/${msisdn}/prompt`, { action: 'approve' })
  expect(answer.status).toBe(200)
  await sim.control('POST', '/snapshots/snap_1/restore')
  expect((await sim.control('GET', `/phones/${msisdn}`)).status).toBe(404)
})

test('keeps the last twenty snapshots, even after a reset', async () => {
  for (let count = 0; count < 22; count += 1) await sim.control('POST', '/snapshots', {})
  await sim.control('POST', '/reset', {})
  const kept: { id: string }[] = (await sim.control('GET', '/snapshots')).body
  expect(kept).toHaveLength(20)
  expect(kept[0]?.id).toBe('snap_3')
  expect((await sim.control('POST', '/snapshots/snap_1/restore')).status).toBe(404)
})
