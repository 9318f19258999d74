import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { identityDirOf, writeIdentities } from '@malipo/stack/certificates'

type Identity = Parameters<typeof identityDirOf>[1]

const made = new Map<string, string>()

/**
 * The folder with the certificate of a process, for `TLS_DIR`. All that a test file starts is under one authority, unless
 * it names another.
 */
export function testIdentityDir(identity: Identity, authority = 'ours'): string {
  const dir = made.get(authority) ?? makeAuthority()
  made.set(authority, dir)
  return identityDirOf(dir, identity)
}

function makeAuthority(): string {
  const dir = mkdtempSync(join(tmpdir(), 'malipo-identities-'))
  writeIdentities(join(dir, 'identities'))
  process.once('exit', () => {
    rmSync(dir, { recursive: true, force: true })
  })
  return dir
}
