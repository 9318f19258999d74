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
  it('creates them once, readable by their owner only', () => {
    const made = readSecrets(dir)
    expect(readSecrets(dir)).toEqual(made)
    expect(statSync(join(dir, 'secrets.json')).mode & 0o777).toBe(0o600)
  })

  it('leaves the file as it is where nothing is added', () => {
    const file = join(dir, 'secrets.json')
    readSecrets(dir)
    const written = statSync(file)
    readSecrets(dir)
    expect(statSync(file)).toMatchObject({ ino: written.ino, mtimeMs: written.mtimeMs })
  })

  it('creates different ones for another folder', () => {
    const other = mkdtempSync(join(tmpdir(), 'malipo-secrets-'))
    expect(readSecrets(other).keyPepper).not.toBe(readSecrets(dir).keyPepper)
    rmSync(other, { recursive: true })
  })

  it('adds those that an older version did not have, once', () => {
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

  it('refuses secrets of another version, and suggests --fresh', () => {
    writePrivateFile(join(dir, 'secrets.json'), '{"stackId":"00"}')
    expect(() => readSecrets(dir)).toThrow('--fresh')
  })

  it.each(['postgres', 'standby'])(
    'refuses to create new ones beside %s, which would lock it out',
    (name) => {
      mkdirSync(join(dir, name))
      expect(() => readSecrets(dir)).toThrow('--fresh')
    },
  )
})
