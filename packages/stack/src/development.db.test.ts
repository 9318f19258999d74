import { mkdtempSync, statSync, utimesSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@malipo/testing/eventually'
import { repositoryDir } from './migrate'
import type { StackFile } from './stack-file'
import { type StartedStack, startStack } from './start.harness'

let stack: StartedStack
let file: StackFile

beforeAll(async () => {
  stack = startStack(mkdtempSync(join(tmpdir(), 'malipo-dev-')), [], {}, 'dev')
  file = await stack.ready()
})

afterAll(async () => {
  stack.child.kill('SIGINT')
  await stack.ended()
})

/** Saves a file, waits for the expected number of restarts, and returns the names of the processes that restarted. */
async function restartedBy(file: string, expected: number): Promise<string[]> {
  const before = stack.output().length
  const now = new Date()
  utimesSync(join(repositoryDir, file), now, now)
  const named = () =>
    [
      ...stack
        .output()
        .slice(before)
        .matchAll(/^(\S+) runs again after/gm),
    ].map(([, name]) => name)
  await eventually('the restarts', () => named().length >= expected, 60_000)
  return named().map(String).sort()
}

test('a saved file restarts the processes that import it, and no other', async () => {
  expect(await restartedBy('services/keys/src/config.ts', 1)).toEqual(['keys'])
  expect(await restartedBy('services/gateway/src/pages/screens.css', 2)).toEqual([
    'gateway-ke',
    'gateway-ug',
  ])
  expect(stack.output()).not.toMatch(/(?:ledger|worker|simulator|auth)\S* restarts/)
})

test.each([
  ['a process', 'packages/stack', 'zod'],
  ['its compiler', 'packages/testing', '@swc/core'],
  ['express, in the form of a module,', 'node_modules/.pnpm', 'async-function'],
])('a new hard link to an installed package of %s restarts nothing', async (_, of, name) => {
  const installed = createRequire(join(repositoryDir, of, 'package.json')).resolve(name)
  // Changes only the ctime, as another install does that hard-links the file. A file watcher reports that as a change.
  const { atime, mtime } = statSync(installed)
  utimesSync(installed, atime, mtime)
  expect(await restartedBy('services/keys/src/config.ts', 1)).toEqual(['keys'])
  expect(stack.output()).not.toMatch(/(?:ledger|worker|simulator|auth)\S* restarts/)
})

test('npm run dev refuses a standby, because the signal of npm run promote would end it', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'malipo-dev-standby-'))
  const refused = startStack(dir, ['--standby'], {}, 'dev')
  expect(await refused.ended()).toBe(1)
  expect(refused.output()).toContain('npm run dev keeps no standby')
})

test('the hub is served from its sources, and its API by the auth service', async () => {
  const { hosts } = await stack.ready()
  const hub = await fetch(`${hosts.ke.auth_url}/hub`)
  expect(await hub.text()).toContain('/hub/@vite/client')
  const session = await fetch(`${hosts.ke.auth_url}/v1/hub/session`)
  expect([session.status, await session.json()]).toMatchObject([401, { code: 3005 }])
})

test('SIGTERM ends every process of the stack before npm run dev ends', async () => {
  stack.child.kill('SIGTERM')
  await stack.ended()
  const pids = Object.values(file.processes).map(({ pid }) => pid)
  expect(pids.filter(isAlive)).toEqual([])
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
