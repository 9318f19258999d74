import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readStackFile, removeStackFile, type StackFile, writeStackFile } from './stack-file'

const dir = mkdtempSync(join(tmpdir(), 'malipo-stack-'))
afterAll(() => {
  rmSync(dir, { recursive: true })
})

const host = { base_url: 'http://a', auth_url: 'http://b', callback_url: 'http://c' }
const stack: StackFile = {
  ready: true,
  hosts: { ke: host, ug: host },
  console: { url: 'http://127.0.0.1:4060' },
  simulator: { url: 'http://s' },
  docs_url: 'http://a/docs',
  merchants: [],
  databases: { ledger_ke: 'p', ledger_ug: 'p', keys: 'p', accounts: 'p' },
  redis: 'r',
  supervisor: { pid: 1 },
  processes: { 'gateway-ke': { pid: 2, metrics_url: 'http://m/metrics' } },
}

describe('stack.json', () => {
  it('is readable by its owner only, and removed when the stack ends', () => {
    writeStackFile(dir, stack)
    expect(readStackFile(dir)).toEqual(stack)
    // The file has secret keys, and the passwords of the databases.
    expect(statSync(join(dir, 'stack.json')).mode & 0o777).toBe(0o600)
    removeStackFile(dir)
    expect(readStackFile(dir)).toBeUndefined()
  })
})
