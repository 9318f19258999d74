import { createPublicKey } from 'node:crypto'
import { startSimulator, type RunningSimulator } from '../start.harness'

let sim: RunningSimulator
beforeAll(async () => {
  sim = await startSimulator()
})
afterAll(() => sim.stop())

test('shows one RSA key of 2,048 bits, the same in every session', async () => {
  const { public_key: pem } = (await sim.control('GET', '/operator-key')).body
  const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey(pem)
  expect([asymmetricKeyType, asymmetricKeyDetails?.modulusLength]).toEqual(['rsa', 2_048])
  expect((await sim.session('run').control('GET', '/operator-key')).body.public_key).toBe(pem)
})
