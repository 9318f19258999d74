import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { identityDirOf, writeIdentities } from '@malipo/stack/certificates'

type Identity = Parameters<typeof identityDirOf>[1]

declare global {
  var testIdentityDirs: Map<string, string> | undefined
}

/**
 * The folders by authority, shared by all test files of a worker: an exit listener for each file would keep that file
 * in memory.
 */
const made: Map<string, string> = (globalThis.testIdentityDirs ??= new Map<string, string>())

/**
 * The folder with the certificate of a process, for `TLS_DIR`. All that tests start is under one authority, unless a
 * test names another.
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
