import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fixedPorts, takeAutoPorts, takeFixedPorts } from './ports'

const home = mkdtempSync(join(tmpdir(), 'malipo-ports-'))
let folders = 0
const newDir = () => join(home, String(folders++))

let server: Server
beforeAll(async () => {
  server = createServer()
  await new Promise<void>((resolve, reject) => {
    // The port may be in use already, which is all that the test needs.
    server.once('error', () => {
      resolve()
    })
    server.once('close', reject)
    server.listen(fixedPorts['gateway-ke'].public, '127.0.0.1', resolve)
  })
})
afterAll(() => {
  server.close()
  rmSync(home, { recursive: true, force: true })
})

describe('ports', () => {
  it('are all different, and browsers can open each of them', () => {
    const all = Object.values(fixedPorts).flatMap((ports) => Object.values(ports) as number[])
    expect(new Set(all).size).toBe(all.length)
    expect(all.filter((port) => [4045, 4190].includes(port))).toEqual([])
  })

  it('that are taken are reported, with the option that chooses others', async () => {
    await expect(takeFixedPorts()).rejects.toThrow(/port 4100 \(gateway-ke\).*--ports auto/s)
  })

  it('can be any free ones, in the same layout, below those of outgoing connections', async () => {
    const ports = await takeAutoPorts(newDir())
    expect(ports['gateway-ke'].public - ports.auth.public).toBe(100)
    expect(ports['worker-ug'].admin).toBeLessThan(32_768)
  })

  it('that were given to one stack are not given to another that starts beside it', async () => {
    const stacks = await Promise.all(Array.from({ length: 30 }, () => takeAutoPorts(newDir())))
    const all = stacks.flatMap((ports) => Object.values(ports).flatMap(Object.values<number>))
    expect(new Set(all).size).toBe(all.length)
  })

  it('that are taken are replaced by others without waiting', async () => {
    const dir = newDir()
    const before = await takeAutoPorts(dir)
    // This process keeps the guard port of the first place open to its end, so the second call gets another place.
    expect(await takeAutoPorts(dir)).not.toEqual(before)
  })

  it('are chosen anew when the stored file is unusable', async () => {
    const dir = newDir()
    await takeAutoPorts(dir)
    writeFileSync(join(dir, 'ports.json'), '{')
    expect((await takeAutoPorts(dir)).auth.public).toBeGreaterThanOrEqual(10_000)
  })
})
