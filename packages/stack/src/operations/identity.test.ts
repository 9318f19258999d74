import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findIdentityFile, makeIdentityFile, openIdentityFile, readPassphrase } from './identity'

const passphrase = 'a long passphrase'
let dir: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'malipo-identity-'))
})

afterEach(() => {
  rmSync(dir, { recursive: true })
})

test('a key is encrypted in a file that its owner alone can read, and opens with its passphrase', () => {
  const file = findIdentityFile(dir, 'Amina')
  expect(file).toBe(join(dir, 'operators', 'amina.key'))
  const made = makeIdentityFile(file, passphrase)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toMatch(/^-+BEGIN ENCRYPTED /)
  expect(openIdentityFile(file, passphrase).operatorId).toBe(made.operatorId)
  expect(() => openIdentityFile(file, 'another passphrase')).toThrow(/does not open/)
  expect(() => makeIdentityFile(file, passphrase)).toThrow(/exists/)
})

test('refuses a short passphrase, a key that others can read, and one that is not there', () => {
  const file = join(dir, 'own.key')
  expect(() => makeIdentityFile(file, 'too short')).toThrow(/at least 12 characters/)
  makeIdentityFile(file, passphrase)
  chmodSync(file, 0o640)
  expect(() => openIdentityFile(file, passphrase)).toThrow(/chmod 600/)
  expect(() => openIdentityFile(join(dir, 'gone.key'), passphrase)).toThrow(/enroll NAME/)
})

test('finds the only key of a stack without a name, and asks which one where there are two', () => {
  expect(() => findIdentityFile(dir, undefined)).toThrow(/enroll NAME/)
  const amina = findIdentityFile(dir, 'amina')
  makeIdentityFile(amina, passphrase)
  expect(findIdentityFile(dir, undefined)).toBe(amina)
  makeIdentityFile(findIdentityFile(dir, 'brian'), passphrase)
  expect(() => findIdentityFile(dir, undefined)).toThrow(/one of amina, brian/)
  expect(findIdentityFile(dir, './own.key')).toMatch(/own\.key$/)
})

test('the passphrase comes from a file or the environment', async () => {
  const file = join(dir, 'passphrase')
  writeFileSync(file, `${passphrase}\n`)
  const isNew = { isNew: false }
  expect(await readPassphrase({ OPERATOR_PASSPHRASE_FILE: file }, isNew)).toBe(passphrase)
  expect(await readPassphrase({ OPERATOR_PASSPHRASE: passphrase }, isNew)).toBe(passphrase)
})
