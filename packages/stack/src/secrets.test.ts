import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writePrivateFile } from './private-file'
import { readSecrets } from './secrets'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'malipo-secrets-'))
})
afterEach(() => {
  rmSync(dir, { recursive: true })
})

describe('readSecrets', () => {
  it('makes them once, for the eyes of their owner only', () => {
    const made = readSecrets(dir)
    expect(readSecrets(dir)).toEqual(made)
    expect(statSync(join(dir, 'secrets.json')).mode & 0o777).toBe(0o600)
  })

  it('makes others for another folder', () => {
    const other = mkdtempSync(join(tmpdir(), 'malipo-secrets-'))
    expect(readSecrets(other).keyPepper).not.toBe(readSecrets(dir).keyPepper)
    rmSync(other, { recursive: true })
  })

  it('adds what an older Malipo did not have, once', () => {
    const { cardPayerKeys, databasePasswords, pinProofPrivateKey, ...old } = readSecrets(dir)
    writePrivateFile(join(dir, 'secrets.json'), JSON.stringify({ ...old, dropped: '00' }))
    const upgraded = readSecrets(dir)
    const made: unknown = expect.anything()
    const added = { cardPayerKeys: made, databasePasswords: made, pinProofPrivateKey: made }
    expect(upgraded).toEqual({ ...old, ...added })
    expect(upgraded.cardPayerKeys).not.toEqual(cardPayerKeys)
    expect(upgraded.databasePasswords).not.toEqual(databasePasswords)
    expect(upgraded.pinProofPrivateKey).not.toBe(pinProofPrivateKey)
    expect(readSecrets(dir)).toEqual(upgraded)
  })

  it('says what to do about those of another version', () => {
    writePrivateFile(join(dir, 'secrets.json'), '{"stackId":"00"}')
    expect(() => readSecrets(dir)).toThrow('--fresh')
  })

  it('does not lock out existing databases by making new ones', () => {
    mkdirSync(join(dir, 'postgres'))
    expect(() => readSecrets(dir)).toThrow('--fresh')
  })
})
