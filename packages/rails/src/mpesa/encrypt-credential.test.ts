import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { encryptCredential } from './encrypt-credential'

/** A certificate for tests. It expires in 2126, and its private key was deleted. */
const certificate = readFileSync(join(__dirname, '../../fixtures/certificates/operator.pem'))
const today = Date.UTC(2026, 10, 24)

test('encrypts a password so that the owner of the key alone reads it', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const file = Buffer.from(publicKey.export({ type: 'spki', format: 'pem' }))
  const credential = encryptCredential('Pass word 1', file, today)
  // Node does not remove this padding for a private key.
  const key = { key: privateKey, padding: constants.RSA_NO_PADDING }
  const block = privateDecrypt(key, Buffer.from(credential, 'base64'))
  expect([...block.subarray(0, 2)]).toEqual([0, 2])
  expect(block.subarray(block.indexOf(0, 2) + 1).toString()).toBe('Pass word 1')
})

test('accepts a certificate in the form of the portal, and never gives the same ciphertext twice', () => {
  const der = Buffer.from(certificate.toString().replaceAll(/-----.*-----|\s/g, ''), 'base64')
  const credentials = [certificate, certificate, der].map((file) =>
    encryptCredential('secret', file, today),
  )
  expect(credentials.map((text) => Buffer.from(text, 'base64').length)).toEqual([256, 256, 256])
  expect(new Set(credentials).size).toBe(3)
})

test('refuses a certificate that has ended, and a file that is not a certificate', () => {
  expect(() => encryptCredential('secret', certificate, Date.UTC(2200, 0))).toThrow(
    'This certificate ended on',
  )
  expect(() => encryptCredential('secret', Buffer.from('secret'), today)).toThrow(
    'This file is no certificate',
  )
})
