import { ofFile } from '@malipo/testing/lazily'
import { createPublicKey } from 'node:crypto'
import { startSimulator } from '../start.harness'

const sim = ofFile(() => startSimulator())

test('shows one RSA key of 2,048 bits, the same in every session', async () => {
  const { public_key: pem } = (await sim.control('GET', '/operator-key')).body
  const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey(pem)
  expect([asymmetricKeyType, asymmetricKeyDetails?.modulusLength]).toEqual(['rsa', 2_048])
  expect((await sim.session('run').control('GET', '/operator-key')).body.public_key).toBe(pem)
})
