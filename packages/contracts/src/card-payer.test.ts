import { openPayer, sealPayer } from './card-payer'

const secret = Buffer.alloc(32, 1)
const payer = { name: 'Amina W Kamau', email: 'amina@example.com', phone: '254708374149' }

test('decrypts a payer only with the same secret', () => {
  const sealed = sealPayer(secret, payer)
  expect(openPayer(secret, sealed)).toEqual(payer)
  expect(openPayer(Buffer.alloc(32, 2), sealed)).toBeUndefined()
  expect(sealed.toString('latin1')).not.toMatch(/amina|2547/i)
})

test('encrypts one payer to different bytes each time', () => {
  expect(sealPayer(secret, payer)).not.toEqual(sealPayer(secret, payer))
})

test('returns nothing for altered or foreign ciphertext', () => {
  const sealed = sealPayer(secret, payer)
  for (const at of [0, 12, 20, sealed.length - 1]) {
    const broken = Buffer.from(sealed)
    broken.writeUInt8(broken.readUInt8(at) ^ 1, at)
    expect(openPayer(secret, broken)).toBeUndefined()
  }
  expect(openPayer(secret, Buffer.of())).toBeUndefined()
  expect(openPayer(secret, Buffer.alloc(40))).toBeUndefined()
})
